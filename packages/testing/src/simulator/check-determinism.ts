import type { StepManifest } from '@trestle/protocol'
import type { Rehearsal, Scene } from '../context/test-context.ts'
import { type Difference, findDifference } from './first-difference.ts'
import type { StepAnswer } from './simulation.ts'

/** A step that was called once, and is called again. */
export interface RehearsedStep {
  /** The workflow. */
  readonly workflowId: string
  /** The step. */
  readonly step: StepManifest
  /** The scene of the first call. */
  readonly scene: Scene
  /** The answer to the first call. */
  readonly answer: StepAnswer
}

const dayMs = 86_400_000

/** What the function is shown: another time, and chance at either end, so that no condition is met by luck both times. */
const changes: readonly Pick<Rehearsal, 'shiftMs' | 'random'>[] = [
  { shiftMs: dayMs + 3_661_001, random: 0 },
  { shiftMs: 400 * dayMs, random: 1 - Number.EPSILON },
]

/** A workflow function does not do the same again. */
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
  constructor({ workflowId, step: { stepId } }: RehearsedStep, difference: Difference) {
    const { path, first, second } = difference
    super(
      `Workflow "${workflowId}" is not repeatable: at step "${stepId}", ${path} was ${print(first)} and became ` +
        `${print(second)} when the run was repeated from its start. Whatever changes from one time to the next (chance, ` +
        'the clock, I/O, variables outside of the function) belongs into the handler of a custom step.',
    )
    this.name = 'NotRepeatableError'
    this.workflowId = workflowId
    this.stepId = stepId
    this.difference = difference
  }
}

function print(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/**
 * Calls a step again, each time under changed circumstances, and compares the answers. The handler of a custom step is
 * not run again: what it gave is stored, and may be different each time.
 *
 * @param rehearsed - The step and its first answer.
 * @param ask - Calls the step in a scene.
 * @throws NotRepeatableError - The answers differ.
 */
export async function rehearse(rehearsed: RehearsedStep, ask: (scene: Scene) => Promise<StepAnswer>): Promise<void> {
  const { scene, answer, step } = rehearsed
  const first = toComparable(step, answer, scene)
  for (const change of changes) {
    const again: Scene = {
      ...scene,
      calls: [],
      results: new Map(),
      rehearsal: { ...change, outputs: answer.reply?.outputs ?? {} },
    }
    const difference = findDifference(first, toComparable(step, await ask(again), again))
    if (difference) throw new NotRepeatableError(rehearsed, difference)
  }
}

function toComparable({ type }: StepManifest, { reply, error }: StepAnswer, { calls }: Scene): object {
  const storesOutput = type === 'custom' || type === 'http_request'
  // Whether the handler of a custom step fails is its own affair too.
  if (storesOutput) return { calls, skip: reply?.options.skip ?? false }
  if (error) return { calls, error: { code: error.code, message: error.message } }
  return { calls, outputs: reply?.outputs, providers: reply?.providers, skip: reply?.options.skip }
}
