import type { Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { AnyStepOptions, StepCall } from '../workflow/steps/step-call.ts'
import type { Discovery } from './discovery.ts'

// Separate from discovery itself, so that runs can read results without loading it.

/** A step that a real run has reached. */
export interface ReachedStep {
  readonly call: StepCall
  /** Returns the steps completed before it in that run; called only for a new step. */
  before(): readonly string[]
}

interface LearnedStep {
  readonly call: StepCall
  readonly before: readonly string[]
}

/** What this process has discovered about a workflow. */
interface Known {
  /** The discovered steps, without and with learned ones. */
  base: Discovery | undefined
  settled: Discovery | undefined
  /** Steps that runs have reached and that are missing from discovery, as far as it has run. */
  readonly learned: Map<string, LearnedStep>
}

// Ids derived from data could grow without limit.
const maxLearned = 50
const knownOf = new WeakMap<RegisteredWorkflow, Known>()

function open(workflow: RegisteredWorkflow): Known {
  const entry = knownOf.get(workflow) ?? { base: undefined, settled: undefined, learned: new Map() }
  knownOf.set(workflow, entry)
  return entry
}

/**
 * Returns this process's discovery, including learned steps; `undefined` before discovery has run.
 *
 * @param workflow - The workflow to look up.
 */
export function peekDiscovery(workflow: RegisteredWorkflow): Discovery | undefined {
  return knownOf.get(workflow)?.settled
}

/**
 * Stores a discovery, and returns it with the steps that runs have reached.
 *
 * @param workflow - The workflow.
 * @param base - The discovery, without learned steps.
 */
export function keepDiscovery(workflow: RegisteredWorkflow, base: Discovery): Discovery {
  const entry = open(workflow)
  for (const id of base.reached) entry.learned.delete(id)
  const settled = addLearned(workflow, base, entry.learned)
  Object.assign(entry, { base, settled })
  workflow.stepCount = settled.steps.length
  return settled
}

/**
 * Learns a step from a real run. If discovery has not run yet, whether the step is missing from it is determined later.
 *
 * @param workflow - The workflow.
 * @param reached - The step, and the steps completed before it.
 * @returns Whether discovery has run and the step is new.
 */
export function learnStep(workflow: RegisteredWorkflow, { call, before }: ReachedStep): boolean {
  const { base, learned } = open(workflow)
  if (base?.reached.has(call.id) || learned.has(call.id) || learned.size >= maxLearned) return false
  learned.set(call.id, { call: withoutData(call), before: before() })
  if (base) keepDiscovery(workflow, base)
  return base !== undefined
}

function addLearned(
  workflow: RegisteredWorkflow,
  discovery: Discovery,
  learned: ReadonlyMap<string, LearnedStep>,
): Discovery {
  if (learned.size === 0) return discovery
  const steps = [...discovery.steps]
  for (const { call, before } of learned.values()) {
    const listed = steps.findIndex(({ id }) => id === call.id)
    const listedStep = steps[listed]
    if (listedStep) {
      steps[listed] = { ...listedStep, call, isReached: true }
      continue
    }
    // All steps that the new step waits for were completed, so the position directly after them is before all steps
    // that wait for it.
    const index = steps.findLastIndex(({ id }) => before.includes(id)) + 1
    steps.splice(index, 0, { id: call.id, call, conditional: true, parallelGroup: steps.length, isReached: true })
  }
  const missing = [...learned.keys()].filter((id) => !discovery.ids.has(id))
  const warnings = missing.map((id) => notListed(workflow.id, id))
  return {
    ...discovery,
    steps,
    ids: new Set(steps.map(({ id }) => id)),
    reached: new Set([...discovery.reached, ...learned.keys()]),
    warnings: [
      ...discovery.warnings.filter(({ code }) => code !== 'StepNotReached' || steps.some((step) => !step.isReached)),
      ...warnings,
    ],
  }
}

/**
 * Returns the warning about a step that a run has reached but discovery alone does not find.
 *
 * @param workflowId - The id of the workflow.
 * @param stepId - The id of the step.
 */
export function notListed(workflowId: string, stepId: string): Warning {
  return {
    code: 'StepNotListed',
    message:
      `Workflow "${workflowId}": a run reached step "${stepId}", which discovery did not find. This process lists it from ` +
      'now on: sync again. To list it in every process, add samples that reach it, or call it with a literal id.',
  }
}

/** Returns the published part of a step, without closures that would keep the data of its call in memory. */
function withoutData({ kind, id, handler, options }: StepCall): StepCall {
  const { controlSchema, outputSchema, schema, await: isAwaited, providers, disableOutputSanitization } = options
  const kept: AnyStepOptions = {
    ...(controlSchema !== undefined && { controlSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(schema !== undefined && { schema }),
    ...(isAwaited !== undefined && { await: isAwaited }),
    ...(disableOutputSanitization !== undefined && { disableOutputSanitization }),
    ...(providers && {
      providers: Object.fromEntries(Object.entries(providers).map(([name, override]) => [name, toText(override)])),
    }),
  }
  return { kind, id, handler: toText(handler), options: kept }
}

function toText(code: unknown): () => undefined {
  const text = String(code)
  return Object.assign(() => undefined, { toString: () => text })
}
