import { unwrap } from '../syntax/names.ts'
import { isNode, type Node, nameOf, type Remark, type Source } from '../syntax/source.ts'
import { variables } from '../tables/packages.ts'

/**
 * Renames an environment variable passed directly to an option, `process.env.NAME`. If the new variable is unset, the
 * bridge falls back to the former one. Other code keeps the former name, because it may be the only one set in
 * production.
 *
 * @param property - An option of `serve` or of a client.
 */
export function moveSetting(source: Source, property: Node): void {
  const value = isNode(property['value']) ? unwrap(property['value']) : undefined
  if (value?.type !== 'MemberExpression' || !isEnvironment(value['object'])) return
  const { property: name, computed } = value
  if (!isNode(name) || (computed && name.type !== 'StringLiteral')) return
  const next = toVariable(nameOf(name) ?? '')
  if (!next || source.taken.has(next)) return
  const quote = name.type === 'StringLiteral' ? source.text.original[name.start] : ''
  source.text.update(name.start, name.end, `${quote}${next}${quote}`)
}

function isEnvironment(node: unknown): boolean {
  return (
    isNode(node) &&
    node.type === 'MemberExpression' &&
    nameOf(node['object']) === 'process' &&
    nameOf(node['property']) === 'env'
  )
}

/** Variable names that must not be renamed. */
export interface KeptVariables {
  /** New names that the project already uses for something else. */
  readonly taken: ReadonlySet<string>
  /** Former names that code other than the bridge still reads: their lines are kept in addition to the new ones. */
  readonly read: ReadonlySet<string>
}

/** A variable with its value, which can span several lines in quotes. */
const assignment = /^(\s*(?:export\s+)?)(NOVU_[A-Z_]+)(\s*=[ \t]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`)?[^\r\n]*)/gm

/** Renames variables in a file that sets them, line by line. */
export function moveVariables(text: string, { taken, read }: KeptVariables): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  return text.replace(assignment, (line, ...[before, name, value]: readonly string[]) => {
    const next = toVariable(name ?? '')
    // An earlier run has already added it.
    const isThere = next !== undefined && new RegExp(`^\\s*(?:export\\s+)?${next}\\s*=`, 'm').test(text)
    if (!next || isThere || taken.has(next)) return line
    if (!read.has(name ?? '')) return `${before}${next}${value}`
    return `${line}${end}${before?.trimStart()}${next}${value}`
  })
}

/** Adds remarks on project variables that the bridge now reads, one for each. */
export function remarksOnTaken(text: string, takenNames: ReadonlySet<string>): readonly Remark[] {
  return Object.entries(variables).flatMap(([former, name]) => {
    const match = takenNames.has(name) ? new RegExp(`\\b${name}\\b`).exec(text) : null
    if (!match) return []
    const why = `This project already has a variable ${name}, and a bridge reads it before ${former}.`
    const fix = `Rename yours, or pass the option ${optionOf(name)} to serve.`
    return [{ line: text.slice(0, match.index).split('\n').length, text: `${why} ${fix}` }]
  })
}

function optionOf(name: string): string {
  if (name === 'SERVICE_API_URL') return 'apiUrl'
  return name === 'SERVICE_STRICT_AUTHENTICATION_ENABLED' ? 'strictAuthentication' : 'secretKey'
}

function toVariable(name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}
