import { readFileSync } from 'node:fs'
import type { WorkflowDefinition } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { findMismatch } from '../report/mismatch.ts'
import { type LifecycleStep, toLifecycleWorkflow } from './lifecycle-workflow.ts'

/** What a case expects of one step, and what an engine tells of it. */
export interface LifecycleStepOutcome {
  /** The step. */
  readonly stepId: string
  /** How it ended. */
  readonly status: string
  /** What is stored, and later steps see. */
  readonly result?: JsonObject
  /** When the bridge was called, counted from the first trigger, in milliseconds; `null` when it was not. */
  readonly calledAfterMs?: number | null
  /** When the step, its wait included, was over. */
  readonly endedAfterMs?: number
}

/** What a case expects of one trigger, and what an engine tells of it. */
export interface LifecycleOutcome {
  /** `completed`, `failed` or `merged`. */
  readonly status: string
  /** The steps, in order. */
  readonly steps: readonly LifecycleStepOutcome[]
}

/** A trigger of a case. */
export interface LifecycleTrigger {
  /** Its payload. */
  readonly payload: JsonObject
  /** How long after the first it comes, in milliseconds. @default 0 */
  readonly afterMs?: number
}

/** A case of the life of a run; `lifecycleSchema` describes the file. */
export interface LifecycleCase {
  /** What it shows. */
  readonly name: string
  /** When the first trigger comes, ISO 8601. */
  readonly now: string
  /** The steps of the workflow. */
  readonly steps: readonly (LifecycleStep | readonly LifecycleStep[])[]
  /** The triggers, all for one subscriber. */
  readonly triggers: readonly LifecycleTrigger[]
  /** What the service comes to know of messages, by step id. */
  readonly results?: Readonly<Record<string, JsonObject>>
  /** What becomes of each trigger. */
  readonly expect: readonly LifecycleOutcome[]
}

/** What an engine is to play. */
export interface LifecyclePlay extends Pick<LifecycleCase, 'name' | 'triggers'> {
  /** The workflow, to be served by a bridge. */
  readonly workflow: WorkflowDefinition
  /** When the first trigger comes, milliseconds since 1970. */
  readonly nowMs: number
  /** What the service comes to know of messages, by step id. */
  readonly results: Readonly<Record<string, JsonObject>>
}

/** Something that plays the service: this kit, or a service. */
export interface LifecycleEngine {
  /**
   * Brings the triggers to the workflow, and waits until all is over, on whatever clock.
   *
   * @param play - The workflow and its triggers.
   * @returns What became of each trigger, in their order.
   */
  play(play: LifecyclePlay): Promise<readonly LifecycleOutcome[]>
}

/** What became of a case. */
export interface LifecycleResult {
  /** The case. */
  readonly name: string
  /** What differs from what it expects; `undefined` when nothing does. */
  readonly fault: string | undefined
}

/** The cases. */
export const lifecycleCases: readonly LifecycleCase[] = (
  read('lifecycle.json') as { readonly cases: readonly LifecycleCase[] }
).cases

/** JSON Schema of the cases' file. */
export const lifecycleSchema: JsonObject = read('lifecycle.schema.json') as JsonObject

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'))
}

/**
 * Holds an engine against the life of a run.
 *
 * @param engine - The engine.
 * @param cases - The cases. @default all
 * @returns One result for each case, in order.
 */
export async function runLifecycle(
  engine: LifecycleEngine,
  cases: readonly LifecycleCase[] = lifecycleCases,
): Promise<readonly LifecycleResult[]> {
  const results: LifecycleResult[] = []
  for (const life of cases) results.push({ name: life.name, fault: await playCase(engine, life) })
  return results
}

async function playCase(engine: LifecycleEngine, life: LifecycleCase): Promise<string | undefined> {
  const { name, now, steps, triggers, results = {}, expect } = life
  const workflow = toLifecycleWorkflow('life', steps)
  try {
    const outcomes = await engine.play({ name, workflow, triggers, results, nowMs: Date.parse(now) })
    const found = findMismatch(outcomes, expect)
    return found && `${found.path} is ${JSON.stringify(found.actual)}, and not ${JSON.stringify(found.expected)}`
  } catch (error) {
    return `the engine failed: ${String(error)}`
  }
}
