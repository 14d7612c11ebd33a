import type { WorkflowDefinition } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { findMismatch } from '../report/mismatch.ts'
import type { PlayedService } from '../report/run-report.ts'
import { type LifecycleStep, toLifecycleWorkflow } from './lifecycle-workflow.ts'
import { readData } from './read-data.ts'

/** The outcome of one step, expected by a case or reported by an engine. */
export interface LifecycleStepOutcome {
  readonly stepId: string
  /** The status it ended with. */
  readonly status: string
  /** The result that is stored and that later steps see. */
  readonly result?: JsonObject
  /** When the bridge was called, in milliseconds after the first trigger; `null` if it was not called. */
  readonly calledAfterMs?: number | null
  /** When the step ended, including its wait, in milliseconds after the first trigger. */
  readonly endedAfterMs?: number
  /** `false` in a case if the run does not reach the step; only a list-driven service reports an outcome for it. */
  readonly reached?: false
}

/** The outcome of one trigger, expected by a case or reported by an engine. */
export interface LifecycleOutcome {
  /** `completed`, `failed` or `merged`. */
  readonly status: string
  /** The steps, in order. */
  readonly steps: readonly LifecycleStepOutcome[]
}

/** A trigger of a case. */
export interface LifecycleTrigger {
  readonly payload: JsonObject
  /** The delay after the first trigger, in milliseconds. @default 0 */
  readonly afterMs?: number
}

/** A case of the lifecycle of a run; `lifecycleSchema` describes the file. */
export interface LifecycleCase {
  /** The behavior that the case demonstrates. */
  readonly name: string
  /** The time of the first trigger, ISO 8601. */
  readonly now: string
  /** The steps of the workflow. */
  readonly steps: readonly (LifecycleStep | readonly LifecycleStep[])[]
  /** The triggers, all for one subscriber. */
  readonly triggers: readonly LifecycleTrigger[]
  /** Message results that the service receives, by step id. */
  readonly results?: Readonly<Record<string, JsonObject>>
  /** The expected outcomes, one for each trigger. */
  readonly expect: readonly LifecycleOutcome[]
}

/** A case as an engine runs it. */
export interface LifecyclePlay extends Pick<LifecycleCase, 'name' | 'triggers'> {
  /** The workflow to serve. */
  readonly workflow: WorkflowDefinition
  /** The time of the first trigger, milliseconds since 1970. */
  readonly nowMs: number
  /** Message results that the service receives, by step id. */
  readonly results: Readonly<Record<string, JsonObject>>
}

/** Something that acts as the service: this kit, or a real service. */
export interface LifecycleEngine {
  /**
   * Whether the engine calls the steps that the run reaches, or the steps that discovery lists. @default 'run-driven'
   */
  readonly service?: PlayedService
  /**
   * Sends the triggers to the workflow, and waits until all runs have ended; the clock can be real or virtual.
   *
   * @param play - The workflow and its triggers.
   * @returns The outcome of each trigger, in trigger order.
   */
  play(play: LifecyclePlay): Promise<readonly LifecycleOutcome[]>
}

/** The result of a case. */
export interface LifecycleResult {
  readonly name: string
  /** The first difference from the expectations; `undefined` if there is none. */
  readonly fault: string | undefined
}

/** The cases of `lifecycle.json`, for runs of any engine. */
export const lifecycleCases: readonly LifecycleCase[] = (
  readData('lifecycle.json') as { readonly cases: readonly LifecycleCase[] }
).cases

/** The JSON Schema of the file with the cases. */
export const lifecycleSchema: JsonObject = readData('lifecycle.schema.json') as JsonObject

/**
 * Compares an engine with the lifecycle cases, one by one.
 *
 * @param engine - The engine to check.
 * @param cases - The cases. @default all
 * @returns One result for each case, in order.
 * @example
 * const wrong = (await runLifecycle(engine)).filter(({ fault }) => fault)
 */
export async function runLifecycle(
  engine: LifecycleEngine,
  cases: readonly LifecycleCase[] = lifecycleCases,
): Promise<readonly LifecycleResult[]> {
  const results: LifecycleResult[] = []
  for (const lifecycleCase of cases)
    results.push({ name: lifecycleCase.name, fault: await playCase(engine, lifecycleCase) })
  return results
}

async function playCase(engine: LifecycleEngine, lifecycleCase: LifecycleCase): Promise<string | undefined> {
  const { name, now, steps, triggers, results = {}, expect } = lifecycleCase
  const workflow = toLifecycleWorkflow('lifecycle', steps)
  try {
    const outcomes = await engine.play({ name, workflow, triggers, results, nowMs: Date.parse(now) })
    const mismatch = findMismatch(outcomes, toExpected(expect, engine))
    return (
      mismatch && `${mismatch.path} is ${JSON.stringify(mismatch.actual)}, not ${JSON.stringify(mismatch.expected)}`
    )
  } catch (error) {
    return `the engine failed: ${String(error)}`
  }
}

function toExpected(outcomes: readonly LifecycleOutcome[], { service }: LifecycleEngine): readonly LifecycleOutcome[] {
  return outcomes.map(({ status, steps }) => {
    const has = steps.filter(({ reached }) => reached !== false || service === 'listed')
    return { status, steps: has.map(({ reached: _, ...step }) => step) }
  })
}
