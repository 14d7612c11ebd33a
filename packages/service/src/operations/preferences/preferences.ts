import { type JsonObject, type MessageType, messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { contextFields, readContextKeys } from '../../api/context-fields.ts'
import { filledText, queryList } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { named } from '../../resources/named.ts'
import { bulkPreference, preferences } from '../../resources/workflows/preference.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { findWorkflow } from '../workflows/workflow-row.ts'
import { type Channels, loadPreferences, storePreference } from './preference-store.ts'
import {
  isCritical,
  type PreferenceWorkflow,
  preferenceColumns,
  toGlobal,
  toPreferenceItem,
  toWorkflowPreference,
} from './preference-view.ts'
import { scheduleField } from './schedule-field.ts'

const maxBulk = 100
const path = '/v2/subscribers/{subscriberId}/preferences'
const common = { category: 'configuration', wrapped: false } as const
/** Filters of a list of preferences. */
export const criticalities = ['nonCritical', 'critical', 'all'] as const

const flag = z.boolean('must be true or false').optional()
/** Fields of a preference by channel. */
export const channelFields: { readonly [K in MessageType]: z.ZodType<boolean | undefined> } = {
  ...{ email: flag, sms: flag, in_app: flag, chat: flag, push: flag, tool: flag },
}
const channels = z.strictObject(channelFields)

/** Operations (v2) on a subscriber's preferences. */
export const preferenceOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.getPreferences',
    access: 'view',
    method: 'GET',
    path,
    summary: "Returns a subscriber's preferences, global and for each workflow.",
    query: z.strictObject({
      criticality: z.enum(criticalities, `must be one of ${criticalities.join(', ')}`).optional(),
      contextKeys: queryList(),
    }),
    output: preferences,
    async handler(context, { params, query }) {
      const { db } = context.store
      const subscriber = await findSubscriber(db, context, String(params['subscriberId']))
      const { criticality = 'nonCritical', contextKeys } = query
      return show(db, context, { subscriber, criticality, contextKeys })
    },
  }),
  operation({
    ...common,
    name: 'subscribers.updatePreferences',
    access: 'edit',
    method: 'PATCH',
    path,
    summary: "Changes a subscriber's preference for one workflow or for all.",
    body: named(
      'PreferencesBody',
      'A change to preferences: for the given workflow, or for all if omitted.',
      z.strictObject({
        channels: channels.optional().describe('The channels.'),
        workflowId: filledText().optional().describe('The workflow, by id or identifier.'),
        schedule: scheduleField.optional().describe('When messages may be delivered.'),
        context: contextFields.optional().describe('The contexts it applies to.'),
      }),
    ),
    output: preferences,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const subscriber = await findSubscriber(tx, context, String(params['subscriberId']))
        const { channels: wanted, schedule } = body
        // Waits only read the schedule of the global preferences; a schedule of a single workflow would have no effect.
        if (schedule !== undefined && body.workflowId !== undefined)
          throw invalid('schedule', 'must be sent without workflowId: it applies to all workflows')
        const workflow = body.workflowId === undefined ? undefined : await findWorkflow(tx, context, body.workflowId)
        const contextKeys = readContextKeys(body.context)
        const change = { workflowId: workflow?.id ?? '', channels: wanted, schedule, contextKeys }
        await storePreference(tx, context, { subscriber, change })
        return show(tx, context, { subscriber, criticality: 'nonCritical', contextKeys })
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.updatePreferencesBulk',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/bulk`,
    summary: "Changes a subscriber's preferences for up to 100 workflows.",
    body: named(
      'BulkPreferencesBody',
      'A change to preferences for up to 100 workflows.',
      z.strictObject({
        preferences: z
          .array(z.strictObject({ workflowId: filledText(), channels }))
          .min(1, 'must not be empty')
          .max(maxBulk, `must have at most ${maxBulk} items`)
          .describe('The workflows and their channels.'),
        context: contextFields.optional().describe('The contexts it applies to.'),
      }),
    ),
    output: z.array(bulkPreference),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const subscriber = await findSubscriber(tx, context, String(params['subscriberId']))
        const contextKeys = readContextKeys(body.context)
        const items: JsonObject[] = []
        for (const { workflowId, channels: wanted } of body.preferences) {
          const workflow = await findWorkflow(tx, context, workflowId)
          const change = { workflowId: workflow.id, channels: wanted, contextKeys }
          await storePreference(tx, context, { subscriber, change })
          items.push(await toBulkItem(tx, { subscriber, workflow, contextKeys }))
        }
        return items
      }),
  }),
])

/** Returns the active workflows of the call's environment that have subscriber preferences. */
export async function loadPreferenceWorkflows(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  criticality: (typeof criticalities)[number],
): Promise<readonly PreferenceWorkflow[]> {
  const rows = await db
    .selectFrom('workflows')
    .select(preferenceColumns)
    .where('environmentId', '=', environment.id)
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  return rows.filter((row) => criticality === 'all' || isCritical(row) === (criticality === 'critical'))
}

interface Shown {
  readonly subscriber: SubscriberRow
  readonly criticality: (typeof criticalities)[number]
  readonly contextKeys?: readonly string[] | undefined
}

async function show(
  db: Session,
  context: CallContext,
  { subscriber, criticality, contextKeys }: Shown,
): Promise<JsonObject> {
  const chosen = await loadPreferences(db, subscriber, contextKeys)
  const wanted = await loadPreferenceWorkflows(db, context, criticality)
  const global = chosen.get('')
  return {
    global: toGlobal(global),
    workflows: wanted.map((workflow) => toWorkflowPreference({ workflow, global, own: chosen.get(workflow.id) })),
  }
}

interface BulkItem {
  readonly subscriber: SubscriberRow
  readonly workflow: WorkflowRow
  readonly contextKeys: readonly string[] | undefined
}

async function toBulkItem(db: Session, { subscriber, workflow, contextKeys }: BulkItem): Promise<JsonObject> {
  const chosen = await loadPreferences(db, subscriber, contextKeys)
  return toPreferenceItem({ workflow, global: chosen.get(''), own: chosen.get(workflow.id) })
}

/** Returns the channels of a list of `{ type, enabled }`. */
export function toChannels(list: readonly { readonly type: string; readonly enabled: boolean }[]): Channels {
  const knownChannels = list.filter(({ type }) => messageTypes.some((channel) => channel === type))
  return Object.fromEntries(knownChannels.map(({ type, enabled }) => [type, enabled]))
}
