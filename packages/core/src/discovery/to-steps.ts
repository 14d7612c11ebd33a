import type { StepCall } from '../workflow/steps/step-call.ts'
import type { DiscoveredStep } from './discovery.ts'
import { groupSteps } from './ordering/group-steps.ts'
import type { ExploringRun } from './recording/recorded-run.ts'
import type { WrittenStep } from './text/written-steps.ts'

/**
 * Returns the listed steps of a workflow: those that runs have reached, and those only known from its source.
 *
 * @param order - The ids of the reached steps.
 * @param runs - The runs that reached them.
 * @param written - The steps found in the source.
 */
export function toSteps(
  order: readonly string[],
  runs: readonly ExploringRun[],
  written: readonly WrittenStep[],
): readonly DiscoveredStep[] {
  const normal = runs.filter((run) => run.end === 'normal')
  const calls = new Map<string, StepCall>()
  const seenIn = new Map<string, number>()
  for (const run of runs) for (const { id, call } of run.calls) if (!calls.has(id)) calls.set(id, call)
  for (const run of normal) for (const { id } of run.calls) seenIn.set(id, (seenIn.get(id) ?? 0) + 1)
  const groups = groupSteps(runs, order)
  const unreached = written.filter(({ id }) => !calls.has(id))
  const steps = order.flatMap((id): DiscoveredStep[] => {
    const call = calls.get(id)
    if (!call) return []
    // A step that was reached in all runs may be in a conditional whose other branch no run has taken.
    const isAlways = seenIn.get(id) === normal.length && unreached.length === 0
    return [{ id, call, conditional: !isAlways, parallelGroup: groups.get(id) ?? 0, isReached: true }]
  })
  for (const step of unreached) steps.splice(toPlace(steps, step, written), 0, fromText(step, -1 - steps.length))
  return renumber(steps)
}

/** Renumbers the groups from 0, in list order. */
function renumber(steps: readonly DiscoveredStep[]): readonly DiscoveredStep[] {
  const numbers = new Map<number, number>()
  for (const { parallelGroup } of steps) if (!numbers.has(parallelGroup)) numbers.set(parallelGroup, numbers.size)
  return steps.map((step) => ({ ...step, parallelGroup: numbers.get(step.parallelGroup) ?? 0 }))
}

/**
 * Returns the position of a step that was only found in the source. It follows all steps that precede it there, as late
 * as possible, because steps with computed ids may precede it too.
 */
function toPlace(steps: readonly DiscoveredStep[], { id }: WrittenStep, written: readonly WrittenStep[]): number {
  const places = new Map(written.map((step, index) => [step.id, index]))
  const own = places.get(id) ?? 0
  const placeOf = (step: DiscoveredStep): number | undefined => places.get(step.id)
  const after = steps.findLastIndex((step) => (placeOf(step) ?? own) < own) + 1
  const next = steps.findIndex((step, index) => index >= after && (placeOf(step) ?? own) > own)
  return next === -1 ? steps.length : next
}

function fromText({ id, kind }: WrittenStep, parallelGroup: number): DiscoveredStep {
  const call: StepCall = { kind, id, handler: () => undefined, options: {} }
  return { id, call, conditional: true, parallelGroup, isReached: false }
}
