import { gone, packages, renamed } from '../tables/packages.ts'
import { isNode, type Node, nameOf, nodesOf, remark, type Source, walk } from './source.ts'

const former = '@novu/framework'

/**
 * Moves imports, exports and `require` of the former package; notes what they import.
 *
 * @param source - The file.
 */
export function moveImports(source: Source): void {
  walk(source.program, (node, parent) => {
    const module = moduleOf(node)
    if (!module) return
    const name = String(module['value'])
    if (name !== former && !name.startsWith(`${former}/`)) return
    const next = Object.hasOwn(packages, name) ? packages[name] : undefined
    if (!next) return remark(source, node, `"${name}" has no counterpart.`)
    const quote = source.text.original[module.start]
    source.text.update(module.start, module.end, `${quote}${next}${quote}`)
    source.packages.add(next)
    const declaration = toDeclaration(node, parent)
    for (const specifier of declaration.specifiers) note(source, declaration, specifier)
  })
  renameUses(source)
}

/** The text that names the module, in each form there is. */
function moduleOf(node: Node): Node | undefined {
  if (['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(node.type))
    return isNode(node['source']) ? node['source'] : undefined
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const [argument] = nodesOf(node['arguments'])
  const isImport = (isNode(callee) && callee.type === 'Import') || nameOf(callee) === 'require'
  return isImport && argument?.type === 'StringLiteral' ? argument : undefined
}

interface Specifier {
  readonly node: Node
  readonly imported: string
  readonly local: string
}

interface Declaration {
  /** What goes when none of its names is left. */
  readonly whole: Node
  readonly specifiers: readonly Specifier[]
}

/** An import with its names, or the pattern that takes names out of a `require`. */
function toDeclaration(node: Node, parent: Node | undefined): Declaration {
  if (node.type !== 'CallExpression')
    return { whole: node, specifiers: toSpecifiers(nodesOf(node['specifiers']), 'local') }
  const pattern = parent?.type === 'VariableDeclarator' && isNode(parent['id']) ? parent['id'] : undefined
  return { whole: parent ?? node, specifiers: toSpecifiers(nodesOf(pattern?.['properties']), 'value') }
}

function toSpecifiers(nodes: readonly Node[], field: 'local' | 'value'): readonly Specifier[] {
  return nodes.flatMap((node) => {
    const imported = nameOf(node['imported'] ?? node['key'] ?? node['local'])
    const local = nameOf(node[field])
    return node.type !== 'ImportDefaultSpecifier' && imported && local ? [{ node, imported, local }] : []
  })
}

/** Classes and enumerations whose every use is moved. */
const moved = ['Client', 'CronExpression']

function note(source: Source, declaration: Declaration, { node, imported, local }: Specifier): void {
  source.imported.set(local, imported)
  const why = Object.hasOwn(gone, imported) ? gone[imported] : undefined
  if (why) remark(source, node, `${imported} is not there any more. ${why}`)
  if (moved.includes(imported)) removeSpecifier(source, declaration, node)
}

/** Takes a name out of an import, with its comma; the whole import where nothing else is left. */
function removeSpecifier({ text }: Source, { whole, specifiers }: Declaration, node: Node): void {
  const left = specifiers.filter(({ imported }) => !moved.includes(imported))
  if (left.length === 0 && whole.type === 'ImportDeclaration') {
    text.remove(whole.start, whole.end + (text.original[whole.end] === '\n' ? 1 : 0))
    return
  }
  const comma = /^\s*,[ \t]*/.exec(text.original.slice(node.end))?.[0].length
  if (comma) text.remove(node.start, node.end + comma)
  else
    text.remove(
      Math.max(text.original.lastIndexOf(',', node.start), text.original.lastIndexOf('{', node.start) + 1),
      node.end,
    )
}

function renameUses(source: Source): void {
  const done = new Set<number>()
  walk(source.program, (node) => {
    if (node.type !== 'Identifier' || done.has(node.start)) return
    const name = String(node['name'])
    const next = Object.hasOwn(renamed, name) ? renamed[name] : undefined
    if (!next || source.imported.get(name) !== name) return
    done.add(node.start)
    source.text.update(node.start, node.end, next)
  })
}
