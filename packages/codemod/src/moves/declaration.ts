import { isNode, type Node, nameOf, nodesOf, type Source } from '../syntax/source.ts'

/** A name imported from a module. */
export interface Specifier {
  readonly node: Node
  /** Its name in the module. */
  readonly imported: string
  /** Its name in the file. */
  readonly local: string
}

/** A statement that imports names from a module: an import, an export, or a `require` declaration. */
export interface Declaration {
  /** The statement; `undefined` if the module is used within an expression. */
  readonly statement: Node | undefined
  /** The string literal that names the module. */
  readonly module: Node
  readonly specifiers: readonly Specifier[]
  /** The namespace name; empty if the module is re-exported without one. */
  readonly whole: string | undefined
  /** The default import, which only worked in files that mix module kinds. */
  readonly byDefault?: Node | undefined
}

/**
 * Parses the statement that contains a module name.
 *
 * @param node - The import, export or call that names the module.
 */
export function toDeclaration(source: Source, node: Node, module: Node): Declaration {
  if (node.type !== 'CallExpression') {
    const specifiers = nodesOf(node['specifiers'])
    const namespace = specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier')
    const whole = node.type === 'ExportAllDeclaration' ? '' : nameOf(namespace?.['local'])
    const byDefault = specifiers.find(({ type }) => type === 'ImportDefaultSpecifier')
    return { statement: node, module, specifiers: toSpecifiers(specifiers, 'local'), whole, byDefault }
  }
  const parent = source.parents.get(node)
  const callbackParts = parent && takenByCallback(source, parent)
  if (callbackParts) {
    const specifiers = toSpecifiers(nodesOf(callbackParts['properties']), 'value')
    return { statement: undefined, module, specifiers, whole: nameOf(callbackParts) }
  }
  const declarator = parent?.type === 'AwaitExpression' ? source.parents.get(parent) : parent
  const id = declarator?.type === 'VariableDeclarator' && isNode(declarator['id']) ? declarator['id'] : undefined
  const statement = declarator && id?.type === 'ObjectPattern' ? source.parents.get(declarator) : undefined
  return {
    statement: nodesOf(statement?.['declarations']).length === 1 ? statement : undefined,
    module,
    specifiers: toSpecifiers(nodesOf(id?.['properties']), 'value'),
    whole: nameOf(id),
  }
}

/** Returns the parameter in `import().then((module) => …)`. */
function takenByCallback(source: Source, member: Node): Node | undefined {
  const call = member.type === 'MemberExpression' && nameOf(member['property']) === 'then' && source.parents.get(member)
  const [callback] = call && call.type === 'CallExpression' ? nodesOf(call['arguments']) : []
  return callback && nodesOf(callback['params'])[0]
}

function toSpecifiers(nodes: readonly Node[], field: 'local' | 'value'): readonly Specifier[] {
  return nodes.flatMap((node) => {
    const imported = nameOf(node['imported'] ?? node['key'] ?? node['local'])
    const local = nameOf(node[field])
    return !/Default|Namespace/.test(node.type) && imported && local ? [{ node, imported, local }] : []
  })
}

/**
 * Rewrites a statement, once per target module; removes it if no names are left.
 *
 * @param names - The names to import, by module.
 */
export function writeDeclaration(
  source: Source,
  { statement, module }: Declaration,
  names: ReadonlyMap<string, readonly string[]>,
): void {
  if (!statement) return
  const { original } = source.text
  if (names.size === 0) {
    source.text.remove(statement.start, statement.end + (original[statement.end] === '\n' ? 1 : 0))
    return
  }
  const head = original.slice(statement.start, original.indexOf('{', statement.start))
  const between = original.slice(original.lastIndexOf('}', module.start) + 1, module.start)
  const tail = original.slice(module.end, statement.end)
  const quote = original[module.start]
  const lines = [...names].map(
    ([name, specifiers]) => `${head}{ ${specifiers.join(', ')} }${between}${quote}${name}${quote}${tail}`,
  )
  const comments = source.comments.filter(({ start, end }) => start >= statement.start && end <= statement.end)
  const keptComments = comments.map(({ start, end }) => original.slice(start, end))
  const indent = /[ \t]*$/.exec(original.slice(0, statement.start))?.[0] ?? ''
  source.text.overwrite(statement.start, statement.end, [...keptComments, ...lines].join(`\n${indent}`))
}
