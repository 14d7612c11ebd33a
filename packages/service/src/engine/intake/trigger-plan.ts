import type { JsonObject } from '@trestle/protocol'
import { type ContextFields, readContextKeys } from '../../api/context-fields.ts'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { createId } from '../../store/create-id.ts'
import type { JobRow, TriggerRow } from '../../store/schema/run.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { type Addressees, toAddressees, toRecipient } from '../decision/recipient.ts'
import { toEventSubscriber } from '../work/step-event.ts'
import { findTenant } from './find-tenant.ts'
import { loadKeptJobs } from './load-kept-jobs.ts'
import { findSubscribers, type StoreTime, storeSubscribers } from './store-subscribers.ts'
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
 * Plans the runs of a page of a trigger. The first page stores the actor and the contexts of the trigger; later pages
 * read them, so that they do not revert changes made since.
 *
 * @returns The plan, or the reason why the trigger fails.
 */
export async function planTrigger(tx: Session, trigger: TriggerRow, nowMs: number): Promise<TriggerPlan | string> {
  const { environmentId, workflowIdentifier } = trigger
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
  const place = { environmentId, nowMs, isStored: trigger.cursor === null }
  return {
    trigger,
    request,
    workflow,
    steps,
    controls: await loadControls(tx, workflow.id),
    addressees,
    actor: await loadActor(tx, request.actor, place),
    tenant: tenant && {
      _id: tenant.id,
      identifier: tenant.identifier,
      name: tenant.name,
      data: parseObject(tenant.data),
    },
    context: await loadContexts(tx, request.context ?? {}, place),
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

/** Where and when the actor and the contexts of a trigger are read. */
interface Place extends StoreTime {
  /** Whether they are stored first. */
  readonly isStored: boolean
}

/** If the actor was deleted after the first page, the remaining runs have an actor without stored fields. */
async function loadActor(tx: Session, given: unknown, place: Place): Promise<TriggerPlan['actor']> {
  const recipient = toRecipient(given)
  if (!recipient) return undefined
  const { subscriberId } = recipient
  const [stored] = place.isStored
    ? await storeSubscribers(tx, [recipient], place)
    : (await findSubscribers(tx, [recipient], place)).values()
  const times = { createdAt: place.nowMs, updatedAt: place.nowMs }
  const row = stored ?? { ...blankSubscriber, ...times, id: '', environmentId: place.environmentId, subscriberId }
  return { rowId: row.id, snapshot: toEventSubscriber(row) }
}

/** Returns all contexts as `{ id, data }`, by type. */
async function loadContexts(tx: Session, contextFields: ContextFields, place: Place): Promise<JsonObject> {
  const contexts: [string, JsonObject][] = []
  for (const [type, value] of Object.entries(contextFields)) {
    const { id: contextId, data } = typeof value === 'string' ? { id: value } : value
    if (place.isStored) await storeContext(tx, { type, contextId, data }, place)
    const row = await tx
      .selectFrom('contexts')
      .select('data')
      .where('environmentId', '=', place.environmentId)
      .where('type', '=', type)
      .where('contextId', '=', contextId)
      .executeTakeFirst()
    contexts.push([type, { id: contextId, data: row ? parseObject(row.data) : (data ?? {}) }])
  }
  return Object.fromEntries(contexts)
}

/** Creates a context. Updates an existing one if the trigger has data for it. */
async function storeContext(
  tx: Session,
  { type, contextId, data }: { readonly type: string; readonly contextId: string; readonly data?: unknown },
  { environmentId, nowMs }: StoreTime,
): Promise<void> {
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
}
