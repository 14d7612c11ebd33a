import type { Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { AnyStepOptions, StepCall } from '../workflow/steps/step-call.ts'
import type { Discovery } from './discovery.ts'

/** A step that a real run has reached. */
export interface ReachedStep {
  readonly call: StepCall
  /** Returns the steps of that run that were done before; asked only where the step is new. */
  before(): readonly string[]
}

interface Learned {
  /** Steps that runs reached before anyone knew what discovery lists. */
  readonly reached: Map<string, LearnedStep>
  /** Steps that discovery does not list. */
  readonly steps: Map<string, LearnedStep>
}

interface LearnedStep {
  readonly call: StepCall
  readonly before: readonly string[]
}

// Ids made of data would never end.
const maxLearned = 50

const learnedOf = new WeakMap<RegisteredWorkflow, Learned>()

function open(workflow: RegisteredWorkflow): Learned {
  const known = learnedOf.get(workflow)
  if (known) return known
  const made = { reached: new Map(), steps: new Map() }
  learnedOf.set(workflow, made)
  return made
}

/**
 * Notes a step that a real run has reached. One that discovery does not list is learned; whether it does may only turn
 * out later.
 *
 * @param workflow - The workflow.
 * @param reached - The step.
 * @param discovery - What discovery has found; `undefined` while it has not run in this process.
 * @returns Whether the step is learned just now.
 */
export function noteReached(
  workflow: RegisteredWorkflow,
  reached: ReachedStep,
  discovery: Discovery | undefined,
): boolean {
  const { call } = reached
  const learned = open(workflow)
  if (discovery && (discovery.reached.has(call.id) || learned.steps.has(call.id))) return false
  const target = discovery ? learned.steps : learned.reached
  if (target.has(call.id) || target.size >= maxLearned) return false
  target.set(call.id, { call: withoutData(call), before: reached.before() })
  return discovery !== undefined
}

/**
 * Adds the steps that real runs have reached to what discovery has found.
 *
 * @param workflow - The workflow.
 * @param discovery - What discovery has found.
 */
export function addLearned(workflow: RegisteredWorkflow, discovery: Discovery): Discovery {
  const learned = learnedOf.get(workflow)
  if (!learned) return discovery
  for (const { call, before } of learned.reached.values())
    noteReached(workflow, { call, before: () => before }, discovery)
  learned.reached.clear()
  if (learned.steps.size === 0) return discovery
  const steps = [...discovery.steps]
  for (const { call, before } of learned.steps.values()) {
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
  const missing = [...learned.steps.keys()].filter((id) => !discovery.ids.has(id))
  const warnings = missing.map((id) => notListed(workflow.id, id))
  return {
    ...discovery,
    steps,
    ids: new Set(steps.map(({ id }) => id)),
    reached: new Set([...discovery.reached, ...learned.steps.keys()]),
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
