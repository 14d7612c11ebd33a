import { isNode, moduleOf, type Node, nameOf, nodesOf, remark, type Source, textOf, walk } from '../syntax/source.ts'

const modules: readonly string[] = ['express', 'body-parser']
const advice =
  'This parser reads bodies before the bridge does, and signatures cover the bytes that were sent. Mount the bridge before it, or keep the raw body as in the README of @trestle/express.'

/**
 * Adds a remark on each JSON parser for all paths that an Express app uses before it mounts the bridge.
 *
 * @param source - The file, after its imports were moved.
 */
export function checkParsers(source: Source): void {
  if (!source.packages.has('@trestle/express')) return
  const parsers = new Set<string>()
  const names = new Set<string>()
  const found: Node[] = []
  let mountedAt: number | undefined
  walk(source.program, (node) => {
    const module = moduleOf(node)
    if (module && modules.includes(textOf(module) ?? '')) noteNames(source, node, { parsers, names })
    if (node.type !== 'CallExpression') return
    if (source.imported.get(nameOf(node['callee']) ?? '') === 'serve') mountedAt ??= node.start
    const [first] = isUse(node) ? nodesOf(node['arguments']) : []
    if (first && isParser(first, { parsers, names })) found.push(first)
  })
  if (mountedAt === undefined) return
  for (const parser of found) if (parser.start < mountedAt) remark(source, parser, advice)
}

interface Names {
  /** Local names of the function `json`. */
  readonly parsers: Set<string>
  /** Local names of modules that have it as a member. */
  readonly names: Set<string>
}

/** Adds the names that an import or a `require` declares. */
function noteNames(source: Source, node: Node, { parsers, names }: Names): void {
  for (const specifier of nodesOf(node['specifiers'])) {
    const isJson = specifier.type === 'ImportSpecifier' && nameOf(specifier['imported']) === 'json'
    const set = isJson ? parsers : names
    set.add(nameOf(specifier['local']) ?? '')
  }
  const id = source.parents.get(node)?.['id']
  if (!isNode(id)) return
  if (id.type === 'Identifier') names.add(nameOf(id) ?? '')
  for (const property of nodesOf(id['properties']))
    if (nameOf(property['key']) === 'json') parsers.add(nameOf(property['value']) ?? '')
}

function isUse({ callee }: Node): boolean {
  return isNode(callee) && callee.type === 'MemberExpression' && nameOf(callee['property']) === 'use'
}

/** Returns whether an expression creates a JSON parser that does not keep the raw body. */
function isParser(node: Node, { parsers, names }: Names): boolean {
  const { callee } = node
  if (node.type !== 'CallExpression' || !isNode(callee)) return false
  const [options] = nodesOf(node['arguments'])
  if (nodesOf(options?.['properties']).some(({ key }) => nameOf(key) === 'verify')) return false
  if (callee.type === 'Identifier') return parsers.has(nameOf(callee) ?? '')
  return nameOf(callee['property']) === 'json' && names.has(nameOf(callee['object']) ?? '')
}
