import type { ErrorReply, NextReply, OpenStep, StepReply } from '@trestle/protocol'
import { storesOutputs } from '../../context/step-stub.ts'
import type { Replay, TestContext } from '../../context/test-context.ts'
import { findDifference } from '../../report/mismatch.ts'
import { printValue } from '../../report/print-value.ts'

/** The first difference between two responses. */
export interface Difference {
  /** JSON pointer to the difference. */
  readonly path: string
  /** The value in the first call; `undefined` if it is missing. */
  readonly first: unknown
  /** The value in the repeated call; `undefined` if it is missing. */
  readonly second: unknown
}

/** The response to a call that can be repeated. */
export interface ComparableAnswer {
  readonly reply?: StepReply | NextReply
  readonly error?: ErrorReply
  /** The step that was executed. */
  readonly step?: OpenStep
}

/** A call to repeat. */
export interface ReplayedCall {
  readonly workflowId: string
  /** The test context of the first call. */
  readonly context: TestContext
  /** The response to the first call. */
  readonly answer: ComparableAnswer
}

const dayMs = 86_400_000

/** Clock and random values at either end of their ranges, so that no condition is met by chance both times. */
const changes: readonly Pick<Replay, 'shiftMs' | 'random'>[] = [
  { shiftMs: dayMs + 3_661_001, random: 0 },
  { shiftMs: 400 * dayMs, random: 1 - Number.EPSILON },
]

/** A workflow function behaves differently when it runs again from its start. */
export class NotRepeatableError extends Error {
  readonly workflowId: string
  /** The step at which the difference was detected. */
  readonly stepId: string
  /** The difference between the responses. */
  readonly difference: Difference

  /**
   * @param call - The call that was repeated.
   * @param difference - The difference between the responses.
   */
  constructor(call: ReplayedCall, difference: Difference) {
    const { workflowId } = call
    const stepId = toPlace(call)
    const { path, first, second } = difference
    super(
      `Workflow "${workflowId}" is not deterministic: at step "${stepId}", ${path} was ${printValue(first)} and became ` +
        `${printValue(second)} when the run was replayed. Move code whose result can change between calls ` +
        '(random values, the clock, I/O, outer variables) into the handler of a custom step.',
    )
    this.name = 'NotRepeatableError'
    this.workflowId = workflowId
    this.stepId = stepId
    this.difference = difference
  }
}

/** A workflow function sends requests outside of steps, so it repeats them for each step. */
export class RepeatedRequestError extends Error {
  readonly workflowId: string
  /** The step the function was called for. */
  readonly stepId: string
  /** The URLs that the function requested, in order. */
  readonly requests: readonly string[]

  /**
   * @param call - The call during which the function sent them.
   * @param requests - The URLs that the function requested.
   */
  constructor(call: ReplayedCall, requests: readonly string[]) {
    const { workflowId } = call
    const stepId = toPlace(call)
    super(
      `Workflow "${workflowId}" requests ${[...new Set(requests)].join(', ')} outside all handlers; seen at step ` +
        `"${stepId}". The service calls the workflow function again for each step, so each call repeats the request. ` +
        'Move it into the handler of a custom step, which runs once.',
    )
    this.name = 'RepeatedRequestError'
    this.workflowId = workflowId
    this.stepId = stepId
    this.requests = requests
  }
}

/**
 * Repeats a call with a changed clock and random values, and compares the responses. The handler of a custom step is
 * not run again: its output is stored and may differ.
 *
 * @param replayed - The call and its first response.
 * @param callAgain - Makes the call in a test context.
 * @throws NotRepeatableError - The responses differ.
 * @throws RepeatedRequestError - The function sends requests itself.
 */
export async function checkDeterminism(
  replayed: ReplayedCall,
  callAgain: (context: TestContext) => Promise<ComparableAnswer>,
): Promise<void> {
  const { context, answer } = replayed
  if (context.requests.length > 0) throw new RepeatedRequestError(replayed, [...context.requests])
  const first = toComparable(answer, context)
  const outputs = answer.reply && 'outputs' in answer.reply ? answer.reply.outputs : {}
  for (const change of changes) {
    const again: TestContext = { ...context, calls: [], results: new Map(), replay: { ...change, outputs } }
    const difference = findDifference(toComparable(await callAgain(again), again), first)
    if (!difference) continue
    const { path, expected, actual } = difference
    throw new NotRepeatableError(replayed, { path, first: expected, second: actual })
  }
}

function toComparable({ reply, error, step }: ComparableAnswer, { calls }: TestContext): object {
  // Whether the handler of a custom step fails may differ as well.
  if (step && storesOutputs(step.type)) return { calls, skip: reply && 'options' in reply ? reply.options.skip : false }
  if (error) return { calls, error: { code: error.code, message: error.message } }
  if (!reply || !('outputs' in reply)) return { calls, open: reply && 'open' in reply ? reply.open : [] }
  return { calls, outputs: reply.outputs, providers: reply.providers, skip: reply.options.skip }
}

/** Returns the step of a call: the executed one, the first one returned, or the last one called. */
function toPlace({ answer: { step, reply }, context: { calls = [] } }: ReplayedCall): string {
  const open = reply && 'open' in reply ? reply.open[0] : undefined
  return (step ?? open ?? calls.at(-1))?.stepId ?? ''
}
