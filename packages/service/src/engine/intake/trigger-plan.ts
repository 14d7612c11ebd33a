import type { JsonObject } from '@trestle/protocol'
import { type ContextFields, readContextKeys } from '../../api/context-fields.ts'
import { createId } from '../../store/create-id.ts'
import type { JobRow, TriggerRow } from '../../store/schema/run.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { type Addressees, toAddressees, toRecipient } from '../decision/recipient.ts'
import { toEventSubscriber } from '../work/step-event.ts'
import { findTenant } from './find-tenant.ts'
import { loadKeptJobs } from './load-kept-jobs.ts'
import { storeSubscribers } from './store-subscribers.ts'
import type { TriggerRequest } from './trigger-request.ts'

/** The common properties of all runs of a trigger. */
export interface TriggerPlan {
  readonly trigger: TriggerRow
  readonly request: Partial<TriggerRequest>
  readonly workflow: WorkflowRow
  readonly steps: readonly StoredStep[]
  /** Stored control values by step id. */
  readonly controls: JsonObject
  /** The named recipients and topics; empty for a broadcast. */
  readonly addressees: Addressees
  /** Row id and snapshot of the actor. */
  readonly actor: { readonly rowId: string; readonly snapshot: JsonObject } | undefined
  /** A snapshot of the tenant. */
  readonly tenant: JsonObject | undefined
  /** Snapshots of the contexts, by type. */
  readonly context: JsonObject
  /** Sorted list of `type:id`. */
  readonly contextKeys: readonly string[]
  /** Whether the bridge decides the next step. */
  readonly isBridgeDriven: boolean
  /** The jobs of an earlier run whose results are copied. */
  readonly keptJobs: readonly JobRow[]
}

/**
 * Plans the runs of a trigger. Stores the actor and the contexts of the trigger.
 *
 * @returns The plan, or the reason why the trigger fails.
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
  const steps = JSON.parse(workflow.steps) as readonly StoredStep[]
  const isBridgeDriven = canDecideNext(workflow, request)
  const planned = isBridgeDriven ? undefined : steps
  const keptJobs = await loadKeptJobs(tx, { environmentId, startFrom: request.startFrom, planned })
  if (typeof keptJobs === 'string') return keptJobs
  const actorRecipient = toRecipient(request.actor)
  const [actor] = actorRecipient ? await storeSubscribers(tx, [actorRecipient], at) : []
  const context = await storeContexts(tx, request.context ?? {}, at)
  return {
    trigger,
    request,
    workflow,
    steps,
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
    isBridgeDriven,
    keptJobs,
  }
}

/**
 * Only the environment's own bridge is known to support this. A bridge that the trigger names runs the listed steps.
 */
function canDecideNext({ next, origin }: WorkflowRow, { bridgeUrl }: Partial<TriggerRequest>): boolean {
  return next === 1 && origin === 'external' && bridgeUrl === undefined
}

async function loadControls(tx: Session, workflowId: string): Promise<JsonObject> {
  const rows = await tx
    .selectFrom('stepControls')
    .select(['stepId', 'controls'])
    .where('workflowId', '=', workflowId)
    .execute()
  return Object.fromEntries(rows.map(({ stepId, controls }) => [stepId, parseObject(controls)]))
}

/** Stores contexts that have data in the trigger. Returns all contexts as `{ id, data }`, by type. */
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
