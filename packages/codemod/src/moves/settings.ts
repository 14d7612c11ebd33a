import { variables } from '../tables/packages.ts'
import { type Source, walk } from './source.ts'

/**
 * Moves the names of variables wherever one stands by itself: in `process.env.NAME`, in what is taken out of it, in the
 * schema of an environment, and in `config.get('NAME')`.
 *
 * @param source - The file.
 */
export function moveSettings(source: Source): void {
  const done = new Set<number>()
  walk(source.program, (node) => {
    const name = node.type === 'Identifier' ? node['name'] : node.type === 'StringLiteral' ? node['value'] : undefined
    const next = typeof name === 'string' ? toVariable(name) : undefined
    // Of a shorthand, name and value are one text.
    if (!next || done.has(node.start)) return
    done.add(node.start)
    const quote = node.type === 'StringLiteral' ? source.text.original[node.start] : ''
    source.text.update(node.start, node.end, `${quote}${next}${quote}`)
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

function toVariable(name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}
