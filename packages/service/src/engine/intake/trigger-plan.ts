import type { JsonObject } from '@trestle/protocol'
import { type ContextFields, readContextKeys } from '../../api/context-fields.ts'
import { createId } from '../../store/create-id.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { type Addressees, toAddressees, toRecipient } from '../decision/recipient.ts'
import { toEventSubscriber } from '../work/step-event.ts'
import { findTenant } from './find-tenant.ts'
import { storeSubscribers } from './store-subscribers.ts'
import type { TriggerRequest } from './trigger-request.ts'

/** Everything the runs of one trigger have in common. */
export interface TriggerPlan {
  /** The trigger. */
  readonly trigger: TriggerRow
  /** Its request. */
  readonly request: Partial<TriggerRequest>
  /** The workflow. */
  readonly workflow: WorkflowRow
  /** The workflow's steps. */
  readonly steps: readonly StoredStep[]
  /** Stored control values, by step id. */
  readonly controls: JsonObject
  /** Who it names; empty for a broadcast. */
  readonly addressees: Addressees
  /** Row id of who caused it, and the subscriber as it is. */
  readonly actor: { readonly rowId: string; readonly snapshot: JsonObject } | undefined
  /** The tenant as it is. */
  readonly tenant: JsonObject | undefined
  /** The contexts as they are, by type. */
  readonly context: JsonObject
  /** A list of `type:id`, sorted. */
  readonly contextKeys: readonly string[]
}

/**
 * Works out what the runs of a trigger have in common. Who caused it and the contexts it brings are stored on the way.
 *
 * @param tx - The session of the transaction.
 * @param trigger - The trigger.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns The plan, or why there cannot be one.
 */
export async function planTrigger(tx: Session, trigger: TriggerRow, nowMs: number): Promise<TriggerPlan | string> {
  const { environmentId, workflowIdentifier } = trigger
  const at = { environmentId, nowMs }
  const request = parseObject(trigger.body) as Partial<TriggerRequest>
  const workflow = await tx
    .selectFrom('workflows')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', workflowIdentifier)
    .executeTakeFirst()
  if (!workflow) return `the workflow "${workflowIdentifier}" no longer exists in the environment`
  const addressees = trigger.kind === 'broadcast' ? { recipients: [], topics: [] } : toAddressees(request.to)
  if (typeof addressees === 'string') return addressees
  const tenant = await findTenant(tx, environmentId, request.tenant)
  if (tenant === 'unknown') return 'the tenant no longer exists in the environment'
  const actorRecipient = toRecipient(request.actor)
  const [actor] = actorRecipient ? await storeSubscribers(tx, [actorRecipient], at) : []
  const context = await storeContexts(tx, request.context ?? {}, at)
  return {
    trigger,
    request,
    workflow,
    steps: JSON.parse(workflow.steps) as readonly StoredStep[],
    controls: await loadControls(tx, workflow.id),
    addressees,
    actor: actor && { rowId: actor.id, snapshot: toEventSubscriber(actor) },
    tenant: tenant && {
      _id: tenant.id,
      identifier: tenant.identifier,
      name: tenant.name,
      data: parseObject(tenant.data),
    },
    context,
    contextKeys: readContextKeys(request.context) ?? [],
  }
}

async function loadControls(tx: Session, workflowId: string): Promise<JsonObject> {
  const rows = await tx
    .selectFrom('stepControls')
    .select(['stepId', 'controls'])
    .where('workflowId', '=', workflowId)
    .execute()
  return Object.fromEntries(rows.map(({ stepId, controls }) => [stepId, parseObject(controls)]))
}

/** Stores the contexts that came with data, and returns all as `{ id, data }` by type. */
async function storeContexts(
  tx: Session,
  contextFields: ContextFields,
  { environmentId, nowMs }: { readonly environmentId: string; readonly nowMs: number },
): Promise<JsonObject> {
  const contexts: [string, JsonObject][] = []
  for (const [type, value] of Object.entries(contextFields)) {
    const { id: contextId, data } = typeof value === 'string' ? { id: value } : value
    const times = { createdAt: nowMs, updatedAt: nowMs }
    const text = JSON.stringify(data ?? {})
    await tx
      .insertInto('contexts')
      .values({ id: createId(nowMs), environmentId, type, contextId, data: text, bridgeUrl: null, ...times })
      .onConflict((conflict) => {
        const target = conflict.columns(['environmentId', 'type', 'contextId'])
        return data === undefined ? target.doNothing() : target.doUpdateSet({ data: text, updatedAt: nowMs })
      })
      .execute()
    const row = await tx
      .selectFrom('contexts')
      .select('data')
      .where('environmentId', '=', environmentId)
      .where('type', '=', type)
      .where('contextId', '=', contextId)
      .executeTakeFirstOrThrow()
    contexts.push([type, { id: contextId, data: parseObject(row.data) }])
  }
  return Object.fromEntries(contexts)
}
