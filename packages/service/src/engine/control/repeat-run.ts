import type { JsonObject } from '@trestle/protocol'
import { parseObject } from '../base/parse-json.ts'
import { type AcceptPorts, acceptTriggers } from '../intake/accept-triggers.ts'
import type { TriggerResult } from '../intake/trigger-request.ts'

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

/**
 * Triggers the workflow of a run again in a new transaction: for the same recipient with the same data, except for what
 * is given.
 *
 * @returns The result of the trigger; `undefined` if the run or its workflow no longer exists.
 */
export async function repeatRun(ports: AcceptPorts, named: RepeatedRun): Promise<TriggerResult | undefined> {
  const { environmentId, runId } = named
  const run = await ports.store.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', runId)
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  if (!run) return undefined
  const actor = run.actor === null ? undefined : parseObject(run.actor)['subscriberId']
  const tenant = run.tenant === null ? undefined : parseObject(run.tenant)['identifier']
  const contexts = Object.entries(parseObject(run.context))
  const request = {
    name: run.workflowIdentifier,
    to: named.to ?? run.externalSubscriberId,
    payload: named.payload ?? parseObject(run.payload),
    overrides: parseObject(run.overrides),
    actor,
    tenant,
    context: Object.fromEntries(contexts.map(([type, one]) => [type, String((one as JsonObject)['id'])])),
    bridgeUrl: run.bridgeUrl ?? undefined,
  }
  const [result] = await acceptTriggers(ports, { environmentId, kind: 'single', requests: [request] })
  if (!result) return undefined
  const { faults: _, ...publicResult } = result
  return publicResult
}
