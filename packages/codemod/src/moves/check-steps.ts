import { outputFields, stepOptions, workflowOptions } from '../tables/fields.ts'
import { isNode, type Node, nameOf, nodesOf, remark, returnedBy, type Source, walk } from './source.ts'

/**
 * Remarks on what the former package let pass: ids that cannot be, options nobody knows, fields of an output that were
 * dropped without a word.
 *
 * @param source - The file; its imports are noted.
 */
export function checkSteps(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'CallExpression') return
    const [id, handler, options] = nodesOf(node['arguments'])
    if (source.imported.get(nameOf(node['callee']) ?? '') === 'workflow') {
      checkId(source, id, 'workflow')
      return checkKeys(source, options, { known: workflowOptions, what: 'a workflow has no option' })
    }
    const kind = stepKindOf(node['callee'])
    if (!kind) return
    checkId(source, id, 'step')
    checkKeys(source, options, { known: stepOptions, what: 'a step has no option' })
    for (const output of returnedBy(handler))
      checkKeys(source, output, { known: outputFields[kind], what: `the output of ${kind} has no field` })
  })
}

/** `step.email` and the others. */
function stepKindOf(callee: unknown): string | undefined {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || nameOf(callee['object']) !== 'step') return undefined
  const kind = nameOf(callee['property']) ?? ''
  return Object.hasOwn(outputFields, kind) || kind === 'custom' ? kind : undefined
}

function checkId(source: Source, node: Node | undefined, what: string): void {
  if (node?.type !== 'StringLiteral') return
  const id = String(node['value'])
  const isGood = id.length > 0 && id.length <= 255 && !/[\u0000-\u001f\u007f]/.test(id)
  if (!isGood) remark(source, node, `A ${what} id is a text of 1 to 255 characters without control characters.`)
}

function checkKeys(
  source: Source,
  node: Node | undefined,
  { known, what }: { readonly known: readonly string[] | undefined; readonly what: string },
): void {
  if (node?.type !== 'ObjectExpression' || !known) return
  for (const property of nodesOf(node['properties'])) {
    const key = property['computed'] ? undefined : nameOf(property['key'])
    if (key !== undefined && !known.includes(key)) remark(source, property, `"${key}": ${what} of that name.`)
  }
}
