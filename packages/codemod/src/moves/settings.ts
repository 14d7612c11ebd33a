import { variables } from '../tables/packages.ts'
import { isNode, type Node, nameOf, type Source, walk } from './source.ts'

/**
 * Moves the names of variables: `process.env.NAME`, `process.env['NAME']`, and those that are taken out of it.
 *
 * @param source - The file.
 */
export function moveSettings(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return
    const { property } = node
    const next = isEnvironment(node['object']) ? toVariable(nameOf(property)) : undefined
    if (!next || !isNode(property)) return
    const quote = property.type === 'StringLiteral' ? source.text.original[property.start] : ''
    source.text.update(property.start, property.end, `${quote}${next}${quote}`)
  })
}

/**
 * Moves the names of variables in a file that sets them, line by line.
 *
 * @param text - A `.env` file.
 */
export function moveVariables(text: string): string {
  return text.replace(/^(\s*(?:export\s+)?)(NOVU_[A-Z_]+)(?=\s*=)/gm, (line, before: string, name: string) => {
    const next = toVariable(name)
    return next ? `${before}${next}` : line
  })
}

function toVariable(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined
}

/** `process.env`, `Bun.env`, `import.meta.env` and whatever else is called `env`. */
function isEnvironment(node: unknown): boolean {
  if (!isNode(node)) return false
  return nameOf(node) === 'env' || (node.type === 'MemberExpression' && nameOf(node['property'] as Node) === 'env')
}
