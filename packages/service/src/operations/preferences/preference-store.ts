import type { MessageType } from '@trestle/protocol'
import type { CallContext } from '../../context/service-context.ts'
import { mergePreferences } from '../../engine/decision/merge-preferences.ts'
import { toObject } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { PreferenceRow, SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** Channels with an enabled flag. */
export type Channels = Readonly<Partial<Record<MessageType, boolean | undefined>>>

/** A preference of a subscriber. */
export interface PreferenceChange {
  /** Row id of the workflow; empty for all workflows. */
  readonly workflowId: string
  /** The contexts it applies to. */
  readonly contextKeys?: readonly string[] | undefined
  /** Whether messages are enabled. */
  readonly enabled?: boolean | undefined
  /** Preferences by channel. Omitted channels keep their values. */
  readonly channels?: Channels | undefined
  /** The weekly schedule of the global preference. */
  readonly schedule?: Readonly<Record<string, unknown>> | undefined
}

/** Merges a preference of a subscriber into the stored one. */
export async function storePreference(
  tx: Session,
  { environment, clock }: Pick<CallContext, 'environment' | 'clock'>,
  { subscriber, change }: { readonly subscriber: SubscriberRow; readonly change: PreferenceChange },
): Promise<void> {
  const nowMs = clock.now()
  const { workflowId, contextKeys = [], enabled, channels = {}, schedule } = change
  const contextKey = [...contextKeys].sort().join(',')
  const before = await tx
    .selectFrom('preferences')
    .selectAll()
    .where('subscriberId', '=', subscriber.id)
    .where('workflowId', '=', workflowId)
    .where('contextKey', '=', contextKey)
    .executeTakeFirst()
  const said = Object.fromEntries(Object.entries(channels).filter(([, value]) => value !== undefined))
  const values = {
    enabled: enabled === undefined ? (before?.enabled ?? null) : enabled ? (1 as const) : (0 as const),
    channels: JSON.stringify({ ...toObject(JSON.parse(before?.channels ?? '{}')), ...said }),
    schedule: schedule === undefined ? (before?.schedule ?? null) : JSON.stringify(schedule),
    updatedAt: nowMs,
  }
  await tx
    .insertInto('preferences')
    .values({
      id: createId(nowMs),
      environmentId: environment.id,
      subscriberId: subscriber.id,
      workflowId,
      contextKey,
      createdAt: nowMs,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['subscriberId', 'workflowId', 'contextKey']).doUpdateSet(values))
    .execute()
}

/** Returns the preferences of a subscriber for a context, merged over those without a context. */
export async function loadPreferences(
  db: Session,
  { id }: Pick<SubscriberRow, 'id'>,
  contextKeys: readonly string[] = [],
): Promise<Map<string, PreferenceRow>> {
  const contextKey = [...contextKeys].sort().join(',')
  const rows = await db
    .selectFrom('preferences')
    .selectAll()
    .where('subscriberId', '=', id)
    .where('contextKey', 'in', contextKey === '' ? [''] : ['', contextKey])
    .execute()
  const preferencesByWorkflow = new Map<string, PreferenceRow>()
  for (const row of rows.sort((a, b) => a.contextKey.length - b.contextKey.length))
    preferencesByWorkflow.set(row.workflowId, mergePreferences(preferencesByWorkflow.get(row.workflowId), row) ?? row)
  return preferencesByWorkflow
}
