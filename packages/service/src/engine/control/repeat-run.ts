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

/**
 * Triggers the workflow of a run again: for the same recipient, with the same data, in a new transaction.
 *
 * @returns The result of the trigger; `undefined` if the run or its workflow no longer exists.
 */
export async function repeatRun(ports: AcceptPorts, named: NamedRun): Promise<TriggerResult | undefined> {
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
    to: run.externalSubscriberId,
    payload: parseObject(run.payload),
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
