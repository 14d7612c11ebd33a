import { declaredAs, propertiesOf, unwrap } from '../syntax/names.ts'
import { isNode, type Node, nameOf, nodesOf, remark, returnedBy, type Source, walk } from '../syntax/source.ts'
import { channels, outputFields } from '../tables/fields.ts'
import { checkKey, checkKeys, type Known } from './check-keys.ts'

/**
 * Adds remarks on fields that the output of a step does not have. Checks objects that the handler returns, assignments
 * to them, and functions in the file that create them. Adds remarks on parts that cannot be followed.
 *
 * @param handler - The handler of the step, or its name.
 */
export function checkOutputs(source: Source, handler: Node | undefined, kind: string): void {
  const fields = Object.hasOwn(outputFields, kind) ? outputFields[kind] : undefined
  if (!fields || !handler) return
  const names = { allowedNames: fields, what: `the output of ${kind} has no field`, more: toMore(kind) }
  const named = handler.type === 'Identifier' ? functionOf(source, handler) : handler
  if (!named) remarkUnseen(source, handler, names)
  for (const output of returnedBy(named)) checkOutput(source, output, { ...names, mayFollow: true })
}

function toMore(kind: string): string {
  if (channels.includes(kind)) return ' Return other fields for a provider from its function in the option providers.'
  return kind === 'inApp' ? ' Custom fields go in data.' : ''
}

interface Names extends Known {
  readonly allowedNames: readonly string[]
  /** Whether to follow a call of a function in the file. */
  readonly mayFollow: boolean
}

function checkOutput(source: Source, output: Node, names: Names): void {
  const value = unwrap(output.type === 'AwaitExpression' && isNode(output['argument']) ? output['argument'] : output)
  for (const property of propertiesOf(source, value, (part) => checkPart(source, part, names)))
    checkKey(source, property, names)
  if (value.type === 'Identifier') checkAssigned(source, value, names)
}

function checkPart(source: Source, part: Node, names: Names): void {
  const { callee } = part
  const factory =
    names.mayFollow && part.type === 'CallExpression' && isNode(callee) ? functionOf(source, callee) : undefined
  if (factory) for (const output of returnedBy(factory)) checkOutput(source, output, { ...names, mayFollow: false })
  else if (nameOf(part) !== 'undefined') remarkUnseen(source, part, names)
}

function remarkUnseen(source: Source, node: Node, { allowedNames, what }: Omit<Names, 'mayFollow'>): void {
  const [, kind = ''] = /output of (\w+)/.exec(what) ?? []
  remark(
    source,
    node,
    `The fields of this object are not visible here. The output of ${kind} only takes: ${allowedNames.join(', ')}.`,
  )
}

/** Checks `result.to = …` and `Object.assign(result, …)`. */
function checkAssigned(source: Source, value: Node, names: Names): void {
  const name = nameOf(value) ?? ''
  const declared = declaredAs(source, name, value)
  const isSame = (node: unknown): node is Node =>
    isNode(node) && nameOf(node) === name && declaredAs(source, name, node) === declared
  walk(source.program, (node) => {
    const { left, right } = node
    if (
      node.type === 'AssignmentExpression' &&
      isNode(left) &&
      left.type === 'MemberExpression' &&
      isSame(left['object'])
    )
      checkKey(source, { ...node, key: left['property'], computed: left['computed'], value: right }, names)
    const [target, ...others] = node.type === 'CallExpression' ? nodesOf(node['arguments']) : []
    if (!isSame(target) || !isAssign(node['callee'])) return
    for (const other of others) {
      checkKeys(source, other, names)
      propertiesOf(source, other, (part) => remarkUnseen(source, part, names))
    }
  })
}

const isAssign = (callee: unknown): boolean =>
  isNode(callee) && nameOf(callee['object']) === 'Object' && nameOf(callee['property']) === 'assign'

/** Returns the function in the file that a name refers to. */
function functionOf(source: Source, use: Node): Node | undefined {
  const name = nameOf(use)
  if (name === undefined) return undefined
  let result: Node | undefined
  walk(source.program, (node) => {
    if (node.type === 'FunctionDeclaration' && nameOf(node['id']) === name) result ??= node
  })
  const declared = declaredAs(source, name, use)
  return result ?? (declared && /Function/.test(declared.type) ? declared : undefined)
}
