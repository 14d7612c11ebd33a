import type { JsonObject } from '@trestle/protocol'
import type { RunRow } from '../../store/schema/run.ts'
import { parseObject } from '../base/parse-json.ts'
import { type AcceptPorts, acceptTriggers } from '../intake/accept-triggers.ts'
import { loadKeptJobs } from '../intake/load-kept-jobs.ts'
import { toRepeatedRequest } from '../intake/repeated-request.ts'
import type { TriggerRequest, TriggerResult } from '../intake/trigger-request.ts'

export interface NamedRun {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the run. */
  readonly runId: string
}

/** A run to repeat, with what differs from it. */
export interface RepeatedRun extends NamedRun {
  /** The payload. @default that of the run */
  readonly payload?: JsonObject | undefined
  /** The recipient, as in a trigger. @default that of the run */
  readonly to?: unknown
}

/** A step to run again, with the steps after it. */
export interface RepeatedStep extends NamedRun {
  readonly stepId: string
}

/**
 * Triggers the workflow of a run again in a new transaction: for the same recipient with the same data, except for the
 * given differences.
 *
 * @returns The result of the trigger; `undefined` if the run or its workflow no longer exists.
 */
export async function repeatRun(ports: AcceptPorts, named: RepeatedRun): Promise<TriggerResult | undefined> {
  const run = await loadRun(ports, named)
  return run && acceptRun(ports, run, { to: named.to, payload: named.payload })
}

/**
 * Triggers the workflow of an ended run again in a new transaction, from a step. The new run copies the results of the
 * steps before it, so nothing before it is sent again.
 *
 * @returns The result of the trigger, or the reason why the run cannot start from the step; `undefined` if the run or
 *   its workflow no longer exists.
 * @source service-api.md#run-again-from-a-step
 */
export async function repeatFromStep(
  ports: AcceptPorts,
  { stepId, ...named }: RepeatedStep,
): Promise<TriggerResult | string | undefined> {
  const run = await loadRun(ports, named)
  if (!run) return undefined
  const { environmentId, runId } = named
  const startFrom = { runId, stepId }
  // Checked again against the steps of the workflow when the run is created.
  const keptJobs = await loadKeptJobs(ports.store.db, { environmentId, startFrom, planned: undefined })
  return typeof keptJobs === 'string' ? keptJobs : acceptRun(ports, run, { startFrom })
}

function loadRun({ store }: AcceptPorts, { environmentId, runId }: NamedRun): Promise<RunRow | undefined> {
  return store.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', runId)
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
}

async function acceptRun(
  ports: AcceptPorts,
  run: RunRow,
  change: Pick<TriggerRequest, 'to' | 'payload' | 'startFrom'>,
): Promise<TriggerResult | undefined> {
  const request = {
    name: run.workflowIdentifier,
    to: change.to ?? run.externalSubscriberId,
    payload: change.payload ?? parseObject(run.payload),
    overrides: parseObject(run.overrides),
    ...toRepeatedRequest(run),
    bridgeUrl: run.bridgeUrl ?? undefined,
    startFrom: change.startFrom,
  }
  const { environmentId } = run
  const [result] = await acceptTriggers(ports, { environmentId, kind: 'single', requests: [request] })
  if (!result) return undefined
  const { faults: _, ...publicResult } = result
  return publicResult
}
