import { parentOf, usesOf } from '../syntax/names.ts'
import { isNode, type Node, nameOf, nodesOf, remark, type Source, walk } from '../syntax/source.ts'

const exportsOfRoute = ['action', 'loader']
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/**
 * Moves the exports of a Remix route. In Remix, `serve` returned one function; for React Router, it returns a loader
 * and an action. Adds remarks on other uses of that function.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveRouteHandlers(source: Source): void {
  if (!source.packages.has('@trestle/react-router')) return
  walk(source.program, (node) => {
    if (node.type === 'CallExpression' && source.imported.get(nameOf(node['callee']) ?? '') === 'serve')
      moveHandler(source, node)
  })
}

function moveHandler(source: Source, call: Node): void {
  const parent = parentOf(source, call)
  const id = parent?.type === 'VariableDeclarator' && isNode(parent['id']) ? parent['id'] : undefined
  const name = nameOf(id)
  if (!id || name === undefined || exportsOfRoute.includes(name)) {
    if (id?.type !== 'ObjectPattern') pick(source, call)
    return
  }
  const uses = usesOf(source, name)
  const specifiers = uses.map((use) => source.parents.get(use)).filter((around) => around?.type === 'ExportSpecifier')
  const exported = specifiers.map((specifier) => nameOf(specifier?.['exported']) ?? '')
  const isPlain = specifiers.length === uses.length && exported.length > 0 && exported.every(isFree(source))
  if (!isPlain) {
    for (const use of uses) pick(source, use)
    return
  }
  source.text.update(id.start, id.end, `{ ${exported.join(', ')} }`)
  for (const specifier of specifiers)
    if (specifier) source.text.update(specifier.start, specifier.end, nameOf(specifier['exported']) ?? '')
}

/** Picks the loader or the action, by the name it is assigned to. */
function pick(source: Source, node: Node): void {
  const parent = parentOf(source, node)
  const isPicked = parent?.type === 'MemberExpression' && exportsOfRoute.includes(nameOf(parent['property']) ?? '')
  if (isPicked) return
  const isCalled = parent?.type === 'CallExpression' && parent['callee'] === node
  const name = isCalled
    ? nameOfFunction(source, node)
    : parent?.type === 'VariableDeclarator'
      ? nameOf(parent['id'])
      : ''
  if (exportsOfRoute.includes(name ?? '')) source.text.appendLeft(node.end, `.${name}`)
  else
    remark(
      source,
      node,
      'serve returns { loader, action } here, not a function: export const { loader, action } = serve(…) from the route.',
    )
}

/** Returns the name of the outermost function around a node. */
function nameOfFunction(source: Source, node: Node): string | undefined {
  let name: string | undefined
  for (let around = source.parents.get(node); around; around = source.parents.get(around)) {
    if (!functions.includes(around.type)) continue
    const parent = parentOf(source, around)
    name = nameOf(around['id']) ?? (parent?.type === 'VariableDeclarator' ? nameOf(parent['id']) : undefined)
  }
  return name
}

/** Returns whether a name is a route export that the file does not declare yet. */
function isFree(source: Source): (name: string) => boolean {
  const declared = new Set<string | undefined>()
  walk(source.program, (node) => {
    const names = [node['id'], ...nodesOf(node['specifiers']).map(({ local }) => local)]
    if (/Declarat|^Import/.test(node.type)) for (const one of names) declared.add(nameOf(one))
  })
  return (name) => exportsOfRoute.includes(name) && !declared.has(name)
}
