import { isNode, moduleOf, type Node, nameOf, nodesOf, remark, type Source, textOf, walk } from '../syntax/source.ts'
import { homes, packages, removedNames, renamed } from '../tables/packages.ts'
import { former } from './imports.ts'

const mocks = ['mock', 'doMock', 'unmock', 'doUnmock', 'importActual', 'importMock', 'requireActual', 'requireMock']

/**
 * Moves other references to a module of the former package: `import name = require()`, types such as
 * `import('…').Name`, `require.resolve` and test runner mocks. Adds remarks on all other references.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveOtherNames(source: Source): void {
  walk(source.program, (node, parent) => {
    const name = textOf(node)
    if (parent && isMade(node)) remark(source, node, 'This name is computed: check whether it is "@novu/framework".')
    if (!parent || name === undefined || !(name === former || name.startsWith(`${former}/`))) return
    if (moduleOf(parent) === node) return
    const next = Object.hasOwn(packages, name) ? packages[name] : undefined
    const home = next && homeAt(source, parent, next)
    if (!home) return remark(source, node, leftText(name, next))
    const quote = source.text.original[node.start]
    source.text.update(node.start, node.end, `${quote}${home}${quote}`)
    source.packages.add(home.split('/').slice(0, 2).join('/'))
  })
}

/** Returns whether a template literal starts with the name of a former package and continues with a value. */
function isMade(node: Node): boolean {
  if (node.type !== 'TemplateLiteral' || nodesOf(node['expressions']).length === 0) return false
  const [first] = nodesOf(node['quasis'])
  const value = first?.['value']
  return /^@novu\/(?:f|$)/.test(String(typeof value === 'object' && value !== null ? Reflect.get(value, 'cooked') : ''))
}

/** Returns the new module for a reference; `undefined` if it must be changed by hand. */
function homeAt(source: Source, place: Node, next: string): string | undefined {
  if (place.type === 'TSExternalModuleReference') {
    const id = nameOf(source.parents.get(place)?.['id'])
    if (id !== undefined) source.wholes.add(id)
    return next
  }
  if (place.type === 'TSImportType') return homeOfType(source, place, next)
  if (place.type !== 'CallExpression' || !isNode(place['callee'])) return undefined
  const { callee } = place
  const method = callee.type === 'MemberExpression' ? nameOf(callee['property']) : undefined
  if (method === 'resolve' && nameOf(callee['object']) === 'require') return next
  if (!mocks.includes(method ?? '')) return undefined
  if (Array.isArray(place['arguments']) && place['arguments'].length > 1)
    remark(source, place, `This mocks the former package: check that its names are those of ${next}.`)
  return next
}

function homeOfType(source: Source, place: Node, next: string): string | undefined {
  let first = place['qualifier']
  while (isNode(first) && isNode(first['left'])) first = first['left']
  const name = nameOf(first) ?? ''
  if (!isNode(first)) return next
  if (Object.hasOwn(removedNames, name) || name === 'Client' || name === 'CronExpression') return undefined
  const other = Object.hasOwn(renamed, name) ? renamed[name] : undefined
  if (other) source.text.update(first.start, first.end, other)
  return Object.hasOwn(homes, name) ? homes[name] : '@trestle/core'
}

function leftText(name: string, next: string | undefined): string {
  return next ? `"${name}" no longer exists; its successor is ${next}.` : `"${name}" has no counterpart.`
}
