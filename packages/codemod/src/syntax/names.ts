import { isNode, type Node, nameOf, nodesOf, type Source, walk } from './source.ts'

const wrappers = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression']

/** Returns an expression without type assertions and parentheses. */
export function unwrap(node: Node): Node {
  return wrappers.includes(node.type) && isNode(node['expression']) ? unwrap(node['expression']) : node
}

/** Returns the parent of an expression, skipping type assertions and parentheses. */
export function parentOf(source: Source, node: Node): Node | undefined {
  const parent = source.parents.get(node)
  return parent && wrappers.includes(parent.type) ? parentOf(source, parent) : parent
}

/**
 * Returns the value that a name is declared with, in the function around its use or in an outer scope. Returns
 * `undefined` for a name declared twice.
 *
 * @param use - The node that uses it. @default the end of the file
 */
export function declaredAs(source: Source, name: string, use?: Node): Node | undefined {
  const around = use && functionAround(source, use)
  const values: unknown[] = []
  walk(around ?? source.program, (node) => {
    if (node.type === 'VariableDeclarator' && nameOf(node['id']) === name) values.push(node['init'])
  })
  const [value] = values
  if (values.length === 0 && around) return declaredAs(source, name, around)
  return values.length === 1 && isNode(value) ? unwrap(value) : undefined
}

function functionAround(source: Source, node: Node): Node | undefined {
  const parent = source.parents.get(node)
  return !parent || /Function|Method/.test(parent.type) ? parent : functionAround(source, parent)
}

/** Returns the uses of a name, excluding declarations, imports and property names. */
export function usesOf(source: Source, name: string): readonly Node[] {
  const uses = new Map<number, Node>()
  walk(source.program, (node, parent) => {
    if (node.type !== 'Identifier' || node['name'] !== name || !parent) return
    if (isUse(source, node, parent)) uses.set(node.start, node)
  })
  return [...uses.values()]
}

function isUse(source: Source, node: Node, parent: Node): boolean {
  if (parent.type.startsWith('Import')) return false
  if (parent.type === 'ExportSpecifier')
    return parent['local'] === node && !isNode(source.parents.get(parent)?.['source'])
  if (parent.type === 'VariableDeclarator') return parent['init'] === node
  if (parent.type === 'TSQualifiedName') return parent['left'] === node
  if (['MemberExpression', 'OptionalMemberExpression'].includes(parent.type))
    return parent['object'] === node || parent['computed'] === true
  if (!/Property$|Method$|Signature$/.test(parent.type)) return true
  if (parent['key'] === node && !parent['computed'] && !parent['shorthand']) return false
  return source.parents.get(parent)?.type !== 'ObjectPattern'
}

/**
 * Returns the properties of an object. Follows names, including those in spreads, to their declarations.
 *
 * @param node - The object, or an expression that refers to it.
 * @param onUnknown - Called with each part that cannot be followed.
 */
export function propertiesOf(source: Source, node: Node, onUnknown: (part: Node) => void): readonly Node[] {
  const seen = new Set<Node>()
  const follow = (part: Node): readonly Node[] => {
    const value = unwrap(part)
    if (seen.has(value)) return []
    seen.add(value)
    if (value.type === 'ObjectExpression')
      return nodesOf(value['properties']).flatMap((property) =>
        property.type === 'SpreadElement' && isNode(property['argument']) ? follow(property['argument']) : [property],
      )
    const parts = [value['consequent'], value['alternate'], value['left'], value['right']].filter(isNode)
    if (['ConditionalExpression', 'LogicalExpression'].includes(value.type)) return parts.flatMap(follow)
    const named = value.type === 'Identifier' ? declaredAs(source, nameOf(value) ?? '', value) : undefined
    if (named) return follow(named)
    // Client options are checked when the client is created; literals have no properties.
    if (value.type !== 'NewExpression' && !value.type.endsWith('Literal')) onUnknown(value)
    return []
  }
  return follow(node)
}
