import { toMs } from '../../report/time.ts'
import { createTriggerRun, type SimulatedTrigger, type TriggerRun } from '../calls/trigger-run.ts'
import { followList } from './follow-list.ts'
import { followRun } from './follow-run.ts'
import type { Simulation } from './simulation.ts'

/**
 * Runs each trigger through the steps as a service does, and skips every wait. Triggers reach digests and throttles in
 * the order of their times; a trigger at a digest's end time is included.
 *
 * @returns The runs of the triggers, in the order of the triggers.
 */
export async function simulateService(
  simulation: Simulation,
  triggers: readonly SimulatedTrigger[],
): Promise<readonly TriggerRun[]> {
  const follow = simulation.options.service === 'listed' ? followList : followRun
  const runs = triggers.map((trigger) => createTriggerRun(trigger))
  for (const run of runs) simulation.alarms.set(run.nowMs, () => follow(simulation, run))
  const [first] = runs
  // Runs after the triggers: if both are due at once, a run starts before an event arrives.
  for (const { afterMs = 0, ...event } of simulation.options.events ?? [])
    simulation.events.emit(event, toMs((first?.nowMs ?? 0) + afterMs, 'afterMs'))
  await simulation.alarms.ringAll()
  return runs
}
