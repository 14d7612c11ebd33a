import type { JsonObject } from '@trestle/protocol'
import type { JobChange, Settled } from '../run/job-change.ts'
import { toRunWork } from '../run/lane.ts'

/**
 * Lets a step trigger a workflow. Checking the request may take a while, so a separate item does it; the step waits until
 * then.
 *
 * @param change - The step's job, and its run.
 * @param outputs - The output of its handler.
 */
export async function enterTrigger({ tx, run, job, queue }: JobChange, outputs: JsonObject): Promise<Settled> {
  await queue.add(tx, [toRunWork(run, 'children', job.id)])
  return { status: 'delayed', outputs }
}
