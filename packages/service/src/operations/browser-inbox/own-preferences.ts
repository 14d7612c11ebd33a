import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, queryList } from '../../api/input.ts'
import { queryChoices } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { severities } from '../../messages/severities.ts'
import { inboxPreference } from '../../resources/activity/inbox-session.ts'
import type { Session } from '../../store/store.ts'
import { type Channels, loadPreferences, storePreference } from '../preferences/preference-store.ts'
import { toGlobal, toPreferenceItem } from '../preferences/preference-view.ts'
import { channelFields, criticalities, loadPreferenceWorkflows } from '../preferences/preferences.ts'
import { scheduleField } from '../preferences/schedule-field.ts'
import { findWorkflow } from '../workflows/workflow-row.ts'
import { ownSubscriber } from './for-subscriber.ts'

const maxBulk = 100
const path = '/v1/inbox/preferences'
const common = { category: 'configuration', wrapped: true, forSubscriber: true, output: inboxPreference } as const

/** Channels for which the subscriber has set no preference are enabled. */
const wantedChannels = { email: true, sms: true, in_app: true, chat: true, push: true } as const

/** Operations on the session subscriber's own preferences. */
export const ownPreferenceOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'ownInbox.listPreferences',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the preferences of the subscriber: the global one, then those for workflows',
    query: z.strictObject({
      tags: queryList(),
      severity: queryChoices(severities),
      criticality: z.enum(criticalities, `must be one of ${criticalities.join(', ')}`).optional(),
    }),
    output: z.array(inboxPreference),
    async handler(context, { query: { tags, severity, criticality = 'nonCritical' } }) {
      const { db } = context.store
      const chosen = await loadPreferences(db, ownSubscriber(context))
      const workflows = await loadPreferenceWorkflows(db, context, criticality)
      const wanted = workflows.filter(
        (row) =>
          (tags === undefined || (JSON.parse(row.tags) as readonly string[]).some((tag) => tags.includes(tag))) &&
          (severity === undefined || severity.some((one) => one === row.severity)),
      )
      const global = chosen.get('')
      const items = wanted.map((workflow) => toPreferenceItem({ workflow, global, own: chosen.get(workflow.id) }))
      return [await showGlobal(db, context), ...items]
    },
  }),
  operation({
    ...common,
    name: 'ownInbox.getGlobalPreference',
    access: 'view',
    method: 'GET',
    path: `${path}/global`,
    summary: 'Returns the preference of the subscriber for all workflows',
    handler: (context) => showGlobal(context.store.db, context),
  }),
  operation({
    ...common,
    name: 'ownInbox.updateGlobalPreference',
    access: 'edit',
    method: 'PATCH',
    path,
    summary: 'Changes the preference of the subscriber for all workflows, or the schedule',
    body: z.strictObject({ ...channelFields, schedule: scheduleField.optional() }),
    handler: (context, { body: { schedule, ...channels } }) =>
      context.store.transaction(async (tx) => {
        const change = { workflowId: '', channels, schedule }
        await storePreference(tx, context, { subscriber: ownSubscriber(context), change })
        return showGlobal(tx, context)
      }),
  }),
  operation({
    ...common,
    name: 'ownInbox.updatePreferences',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/bulk`,
    summary: 'Changes the preferences of the subscriber for up to 100 workflows',
    cost: 'bulk',
    body: z.strictObject({
      preferences: z
        .array(z.strictObject({ workflowId: filledText(), ...channelFields }))
        .min(1, 'must not be empty')
        .max(maxBulk, `must have at most ${maxBulk} items`),
    }),
    output: z.array(inboxPreference),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const items: JsonObject[] = []
        for (const { workflowId, ...channels } of body.preferences)
          items.push(await change(tx, context, { workflowId, channels }))
        return items
      }),
  }),
  operation({
    ...common,
    name: 'ownInbox.updatePreference',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{workflowId}`,
    summary: 'Changes the preference of the subscriber for one workflow',
    body: z.strictObject(channelFields),
    handler: (context, { params: { workflowId = '' }, body: channels }) =>
      context.store.transaction((tx) => change(tx, context, { workflowId, channels })),
  }),
])

async function showGlobal(db: Session, context: CallContext): Promise<JsonObject> {
  const chosen = toGlobal((await loadPreferences(db, ownSubscriber(context))).get(''))
  return { level: 'global', ...chosen, channels: { ...wantedChannels, ...(chosen['channels'] as JsonObject) } }
}

async function change(
  tx: Session,
  context: CallContext,
  { workflowId, channels }: { readonly workflowId: string; readonly channels: Channels },
): Promise<JsonObject> {
  const subscriber = ownSubscriber(context)
  const workflow = await findWorkflow(tx, context, workflowId)
  await storePreference(tx, context, { subscriber, change: { workflowId: workflow.id, channels } })
  const chosen = await loadPreferences(tx, subscriber)
  return toPreferenceItem({ workflow, global: chosen.get(''), own: chosen.get(workflow.id) })
}
