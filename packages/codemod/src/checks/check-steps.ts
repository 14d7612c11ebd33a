import { isNode, type Node, nameOf, nodesOf, remark, type Source, walk } from '../syntax/source.ts'
import { otherSteps, outputFields, stepOptions, workflowOptions } from '../tables/fields.ts'
import { checkKeys } from './check-keys.ts'
import { checkOutputs } from './check-outputs.ts'
import { checkTemplates } from './check-templates.ts'

/**
 * Adds remarks on code that the former package accepted: invalid ids, unknown options, output fields that were silently
 * dropped, and unknown template variables.
 *
 * @param source - The file, after its imports were moved.
 */
export function checkSteps(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'CallExpression') return
    const [id, handler, options] = nodesOf(node['arguments'])
    if (source.imported.get(nameOf(node['callee']) ?? '') === 'workflow') {
      checkId(source, id, 'workflow')
      checkFunction(source, handler, 'The workflow function is the second argument, and the options are the third.')
      return checkKeys(source, options, { allowedNames: workflowOptions, what: 'a workflow has no option' })
    }
    const kind = stepKindOf(source, node['callee'])
    if (kind === undefined) return
    checkId(source, id, 'step')
    checkFunction(source, handler, 'The second argument of a step is a function that returns this value.')
    checkKeys(source, options, { allowedNames: stepOptions, what: 'a step has no option' })
    if (options) checkTemplates(source, options)
    checkOutputs(source, handler, kind)
  })
}

/** Matches `step.email` and the other step methods, with or without destructuring. */
function stepKindOf(source: Source, callee: unknown): string | undefined {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['computed']) return undefined
  const { object, property } = callee
  const isOfContext = isNode(object) && object.type === 'MemberExpression' && nameOf(object['property']) === 'step'
  if (nameOf(object) !== 'step' && !isOfContext) return undefined
  const kind = nameOf(property) ?? ''
  if (Object.hasOwn(outputFields, kind) || otherSteps.includes(kind)) return kind
  const isWorkflow = [...source.imported.values()].includes('workflow')
  if (isWorkflow) remark(source, callee, `step.${kind} does not exist. Put the code into step.custom.`)
  return undefined
}

function checkId(source: Source, node: Node | undefined, what: string): void {
  if (node?.type !== 'StringLiteral') return
  const id = String(node['value'])
  const isGood = id.length > 0 && id.length <= 255 && !/[\u0000-\u001f\u007f]/.test(id)
  if (!isGood) remark(source, node, `A ${what} id is a string of 1 to 255 characters without control characters.`)
}

function checkFunction(source: Source, node: Node | undefined, text: string): void {
  if (node?.type === 'ObjectExpression') remark(source, node, text)
}
