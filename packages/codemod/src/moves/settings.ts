import { unwrap } from '../syntax/names.ts'
import { isNode, type Node, nameOf, type Remark, type Source } from '../syntax/source.ts'
import { variables } from '../tables/packages.ts'

/**
 * Moves the name of a variable that an option is given just as it is, `process.env.NAME`: where the new one is not set,
 * the bridge reads the former by itself. Code that does anything else with a variable keeps its name, because where the
 * app runs it may be the only one that is set.
 *
 * @param source - The file.
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

/** Whose names of variables stay. */
export interface KeptVariables {
  /** New names that mean something else in the project already: theirs are not given. */
  readonly taken: ReadonlySet<string>
  /** Former names that are still read by others than the bridge: their lines stay beside the new ones. */
  readonly read: ReadonlySet<string>
}

/** A variable with its value, which in quotes may have several lines. */
const assignment = /^(\s*(?:export\s+)?)(NOVU_[A-Z_]+)(\s*=[ \t]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`)?[^\r\n]*)/gm

/**
 * Moves the names of variables in a file that sets them, line by line.
 *
 * @param text - A `.env` file.
 * @param kept - Whose names stay.
 */
export function moveVariables(text: string, { taken, read }: KeptVariables): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  return text.replace(assignment, (line, ...[before, name, value]: readonly string[]) => {
    const next = toVariable(name ?? '')
    // A run before this one has given it.
    const isThere = next !== undefined && new RegExp(`^\\s*(?:export\\s+)?${next}\\s*=`, 'm').test(text)
    if (!next || isThere || taken.has(next)) return line
    if (!read.has(name ?? '')) return `${before}${next}${value}`
    return `${line}${end}${before?.trimStart()}${next}${value}`
  })
}

/**
 * Remarks on variables of the project that the bridge takes for its own now, once for each.
 *
 * @param text - A file that names variables.
 * @param taken - The names.
 */
export function remarksOnTaken(text: string, taken: ReadonlySet<string>): readonly Remark[] {
  return Object.entries(variables).flatMap(([former, name]) => {
    const found = taken.has(name) ? new RegExp(`\\b${name}\\b`).exec(text) : null
    if (!found) return []
    const why = `This project already has a variable ${name}, and a bridge reads it before ${former}.`
    const fix = `Rename yours, or give serve the option ${optionOf(name)}.`
    return [{ line: text.slice(0, found.index).split('\n').length, text: `${why} ${fix}` }]
  })
}

function optionOf(name: string): string {
  if (name === 'SERVICE_API_URL') return 'apiUrl'
  return name === 'SERVICE_STRICT_AUTHENTICATION_ENABLED' ? 'strictAuthentication' : 'secretKey'
}

function toVariable(name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}
