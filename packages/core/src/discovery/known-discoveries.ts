import type { Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { AnyStepOptions, StepCall } from '../workflow/steps/step-call.ts'
import type { Discovery } from './discovery.ts'

// Apart from what discovers: runs ask what is known, and must not load all of discovery for it.

/** A step that a real run has reached. */
export interface ReachedStep {
  readonly call: StepCall
  /** Returns the steps of that run that were done before; asked only where the step is new. */
  before(): readonly string[]
}

interface LearnedStep {
  readonly call: StepCall
  readonly before: readonly string[]
}

/** What is known of a workflow in this process. */
interface Known {
  /** What discovery has found, and the same with learned steps. */
  base: Discovery | undefined
  settled: Discovery | undefined
  /** Steps that runs have reached and discovery does not list, as far as it has run. */
  readonly learned: Map<string, LearnedStep>
}

// Ids made of data would never end.
const maxLearned = 50
const knownOf = new WeakMap<RegisteredWorkflow, Known>()

function open(workflow: RegisteredWorkflow): Known {
  const known = knownOf.get(workflow) ?? { base: undefined, settled: undefined, learned: new Map() }
  knownOf.set(workflow, known)
  return known
}

/**
 * Returns what discovery has found in this process, learned steps included; `undefined` while it has not run.
 *
 * @param workflow - The workflow.
 */
export function peekDiscovery(workflow: RegisteredWorkflow): Discovery | undefined {
  return knownOf.get(workflow)?.settled
}

/**
 * Keeps what discovery has found, and returns it with the steps that runs have reached besides.
 *
 * @param workflow - The workflow.
 * @param base - What was found.
 */
export function keepDiscovery(workflow: RegisteredWorkflow, base: Discovery): Discovery {
  const known = open(workflow)
  for (const id of base.reached) known.learned.delete(id)
  const settled = addLearned(workflow, base, known.learned)
  Object.assign(known, { base, settled })
  workflow.stepCount = settled.steps.length
  return settled
}

/**
 * Takes over what a real run has reached. A step that discovery does not list is listed from now on; whether it does may
 * only turn out later.
 *
 * @param workflow - The workflow.
 * @param reached - The step.
 * @returns Whether the step is learned just now.
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
    const known = steps[listed]
    if (known) {
      steps[listed] = { ...known, call, isReached: true }
      continue
    }
    // All that it waits for was done then, so right behind these it stands in front of all that waits for it.
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
 * The warning about a step that a run has reached and that discovery does not find by itself.
 *
 * @param workflowId - The workflow.
 * @param stepId - The step.
 */
export function notListed(workflowId: string, stepId: string): Warning {
  return {
    code: 'StepNotListed',
    message:
      `Workflow "${workflowId}": a run reached step "${stepId}", which discovery does not find. This process lists it from ` +
      'now on: sync again. To have it listed everywhere, add samples that reach it, or call it with a literal id.',
  }
}

/** Returns the published part of a step, without the closures that would keep the data of its call. */
function withoutData({ kind, id, handler, options }: StepCall): StepCall {
  const { controlSchema, outputSchema, providers, disableOutputSanitization } = options
  const kept: AnyStepOptions = {
    ...(controlSchema !== undefined && { controlSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
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
