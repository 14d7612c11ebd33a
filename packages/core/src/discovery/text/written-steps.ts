import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { type StepKind, stepKinds } from '../../workflow/steps/step-kinds.ts'
import { isDot } from './brackets.ts'
import { toStepNames } from './parameters.ts'
import { scanTokens, type Token } from './scan-tokens.ts'
import { sourceOf } from './source-of.ts'

/** A step call with a literal id in the source of a function. */
export interface WrittenStep {
  readonly id: string
  readonly kind: StepKind
}

/** The steps in the source of a function. */
export interface WrittenSteps {
  /** The steps, in source order. */
  readonly steps: readonly WrittenStep[]
  /**
   * Whether the function cannot call any other step, because its steps are only used in such calls. False if in doubt.
   */
  readonly isComplete: boolean
}

const stepsByWorkflow = new WeakMap<RegisteredWorkflow, WrittenSteps>()

/**
 * Returns the steps in the source of a workflow function, which is read once.
 *
 * @param workflow - The workflow with the function.
 */
export function writtenStepsOf(workflow: RegisteredWorkflow): WrittenSteps {
  const kept = stepsByWorkflow.get(workflow)
  if (kept) return kept
  const read = readSteps(sourceOf(workflow))
  stepsByWorkflow.set(workflow, read)
  return read
}

/** The source of a bound function or a proxy. */
const nativeCode = /\{\s*\[native code\]\s*\}\s*$/

/**
 * Finds the calls of the form `step.kind('id'` in a function. The source is parsed but never evaluated; it can be
 * minified.
 *
 * @param source - The source, as returned by `Function.prototype.toString`.
 */
export function readSteps(source: string): WrittenSteps {
  const { tokens, isExact } = scanTokens(source)
  const names = toStepNames(tokens)
  const { steps: objects, contexts, declared } = names
  const steps = new Map<string, WrittenStep>()
  let isComplete = isExact && names.isClosed && !nativeCode.test(source)
  for (const [index, token] of tokens.entries()) {
    const { type, value } = token
    if (type !== 'name' || declared.has(index) || isFieldName(tokens, index)) continue
    if (value === 'arguments' || value === 'eval') isComplete = false
    const isContext = contexts.has(value)
    if (!isContext && !objects.has(value)) continue
    const isField = isContext && isDot(tokens, index + 1) && tokens[index + 2]?.type === 'name'
    // Other fields of the argument are ignored.
    if (isField && tokens[index + 2]?.value !== 'step') continue
    const call = isContext && !isField ? undefined : toCall(tokens, isField ? index + 2 : index)
    if (!call) isComplete = false
    else if (!steps.has(call.id)) steps.set(call.id, call)
  }
  return { steps: [...steps.values()], isComplete }
}

/** Returns whether a name is a field name: `payload.step`, `{ step: 1 }`. */
function isFieldName(tokens: readonly Token[], index: number): boolean {
  if (isDot(tokens, index - 1)) return true
  return tokens[index + 1]?.value === ':' && ['{', ','].includes(tokens[index - 1]?.value ?? '')
}

/** Reads `step.email('id',`. */
function toCall(tokens: readonly Token[], object: number): Pick<WrittenStep, 'id' | 'kind'> | undefined {
  const [kind, open, id, after] = tokens.slice(object + 2, object + 6)
  if (!isDot(tokens, object + 1) || kind?.type !== 'name' || !Object.hasOwn(stepKinds, kind.value)) return undefined
  if (open?.value !== '(' || open.type !== 'mark' || id?.type !== 'text') return undefined
  const isWhole = after?.type === 'mark' && (after.value === ',' || after.value === ')')
  return isWhole ? { id: id.value, kind: kind.value as StepKind } : undefined
}
