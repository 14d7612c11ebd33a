import type { StepManifest } from '@trestle/protocol'
import { storesOutputs } from '../context/step-stub.ts'
import type { Replay, TestContext } from '../context/test-context.ts'
import { findDifference } from '../report/mismatch.ts'
import { printValue } from '../report/print-value.ts'
import type { StepAnswer } from './simulation.ts'

/** The first place where two answers differ. */
export interface Difference {
  /** JSON pointer to the place. */
  readonly path: string
  /** The value of the first call; `undefined` for nothing. */
  readonly first: unknown
  /** The value of the repeated call. */
  readonly second: unknown
}

/** A step that was called once, and is called again. */
export interface ReplayedStep {
  /** The workflow. */
  readonly workflowId: string
  /** The step. */
  readonly step: StepManifest
  /** The test context of the first call. */
  readonly context: TestContext
  /** The answer to the first call. */
  readonly answer: StepAnswer
}

const dayMs = 86_400_000

/** Changes of clock and chance, at either end of its range, so that no condition is met by luck both times. */
const changes: readonly Pick<Replay, 'shiftMs' | 'random'>[] = [
  { shiftMs: dayMs + 3_661_001, random: 0 },
  { shiftMs: 400 * dayMs, random: 1 - Number.EPSILON },
]

/** A workflow function does not do the same again when it is run from its start. */
export class NotRepeatableError extends Error {
  /** The workflow. */
  readonly workflowId: string
  /** The step at which it showed. */
  readonly stepId: string
  /** Where the answers differ. */
  readonly difference: Difference

  /**
   * @param step - The step that was repeated.
   * @param difference - Where the answers differ.
   */
  constructor({ workflowId, step: { stepId } }: ReplayedStep, difference: Difference) {
    const { path, first, second } = difference
    super(
      `Workflow "${workflowId}" is not repeatable: at step "${stepId}", ${path} was ${printValue(first)} and became ` +
        `${printValue(second)} when the run was repeated from its start. Whatever changes from one time to the next ` +
        '(chance, the clock, I/O, variables outside of the function) belongs in the handler of a custom step.',
    )
    this.name = 'NotRepeatableError'
    this.workflowId = workflowId
    this.stepId = stepId
    this.difference = difference
  }
}

/** A workflow function reaches out itself, so it does that once for each step. */
export class RepeatedRequestError extends Error {
  /** The workflow. */
  readonly workflowId: string
  /** The step the function was called for. */
  readonly stepId: string
  /** The URLs that the function asked for, in order. */
  readonly requests: readonly string[]

  /**
   * @param step - The step the function was called for.
   * @param requests - The URLs that the function asked for.
   */
  constructor({ workflowId, step: { stepId } }: ReplayedStep, requests: readonly string[]) {
    super(
      `Workflow "${workflowId}" asks for ${[...new Set(requests)].join(', ')} outside of every handler; seen at step ` +
        `"${stepId}". The service calls the function again for each step, so this happens once for each of them. ` +
        'It belongs in the handler of a custom step, which happens once.',
    )
    this.name = 'RepeatedRequestError'
    this.workflowId = workflowId
    this.stepId = stepId
    this.requests = requests
  }
}

/**
 * Calls a step again, each time under changed circumstances, and compares the answers. The handler of a custom step is
 * not run again: what it returned is stored, and may be different each time.
 *
 * @param replayed - The step and its first answer.
 * @param callStep - Calls the step in a test context.
 * @throws NotRepeatableError - The answers differ.
 * @throws RepeatedRequestError - The function reached out itself.
 */
export async function checkDeterminism(
  replayed: ReplayedStep,
  callStep: (context: TestContext) => Promise<StepAnswer>,
): Promise<void> {
  const { context, answer, step } = replayed
  if (context.requests.length > 0) throw new RepeatedRequestError(replayed, [...context.requests])
  const first = toComparable(step, answer, context)
  for (const change of changes) {
    const again: TestContext = {
      ...context,
      calls: [],
      results: new Map(),
      replay: { ...change, outputs: answer.reply?.outputs ?? {} },
    }
    const found = findDifference(toComparable(step, await callStep(again), again), first)
    if (!found) continue
    const { path, expected, actual } = found
    throw new NotRepeatableError(replayed, { path, first: expected, second: actual })
  }
}

function toComparable({ type }: StepManifest, { reply, error }: StepAnswer, { calls }: TestContext): object {
  // Whether the handler of a custom step fails is its own affair too.
  if (storesOutputs(type)) return { calls, skip: reply?.options.skip ?? false }
  if (error) return { calls, error: { code: error.code, message: error.message } }
  return { calls, outputs: reply?.outputs, providers: reply?.providers, skip: reply?.options.skip }
}
