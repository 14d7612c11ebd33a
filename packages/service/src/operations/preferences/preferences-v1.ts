import { type JsonObject, messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { named } from '../../resources/named.ts'
import { preferenceV1 } from '../../resources/workflows/preference.ts'
import type { PreferenceRow, SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { findWorkflow } from '../workflows/workflow-row.ts'
import { loadPreferences, storePreference } from './preference-store.ts'
import { isCritical, type PreferenceWorkflow, preferenceColumns, resolveChannels, toGlobal } from './preference-view.ts'
import { toChannels } from './preferences.ts'

const path = '/v1/subscribers/{subscriberId}/preferences'
const common = { category: 'configuration', wrapped: true } as const
const channel = named(
  'ChannelSwitch',
  'A channel to enable or disable.',
  z.strictObject({
    type: z.enum(messageTypes, `must be one of ${messageTypes.join(', ')}`).describe('The channel.'),
    enabled: z.boolean('must be true or false').describe('Whether it is enabled.'),
  }),
)

/** Operations (v1) on a subscriber's preferences. */
export const preferenceV1Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.getPreferencesV1',
    access: 'view',
    method: 'GET',
    path,
    summary: "Returns a subscriber's preferences for each workflow.",
    output: z.array(preferenceV1),
    async handler(context, { params }) {
      const { db } = context.store
      const subscriber = await findSubscriber(db, context, String(params['subscriberId']))
      return listItems(db, context, subscriber)
    },
  }),
  operation({
    ...common,
    name: 'subscribers.getPreferencesByLevel',
    access: 'view',
    method: 'GET',
    path: `${path}/{level}`,
    params: z.object({
      subscriberId: z.string(),
      level: z.enum(['template', 'global'], 'must be template or global'),
    }),
    summary: "Returns a subscriber's preferences for each workflow (template) or for all (global).",
    output: z.array(preferenceV1),
    async handler(context, { params }) {
      const { db } = context.store
      const subscriber = await findSubscriber(db, context, String(params['subscriberId']))
      if (params.level === 'template') return listItems(db, context, subscriber)
      return [toGlobalItem((await loadPreferences(db, subscriber)).get(''))]
    },
  }),
  operation({
    ...common,
    name: 'subscribers.updatePreferenceV1',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{templateId}`,
    summary: "Changes a subscriber's preference for one workflow.",
    body: z.strictObject({ channel: channel.optional(), enabled: z.boolean().optional() }),
    output: preferenceV1,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const subscriber = await findSubscriber(tx, context, String(params['subscriberId']))
        const workflow = await findWorkflow(tx, context, String(params['templateId']))
        const channels = body.channel && toChannels([body.channel])
        const change = { workflowId: workflow.id, channels, enabled: body.enabled }
        await storePreference(tx, context, { subscriber, change })
        return toItem(workflow, await loadPreferences(tx, subscriber))
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.updateGlobalPreferencesV1',
    access: 'edit',
    method: 'PATCH',
    path,
    summary: "Changes a subscriber's preference for all workflows.",
    body: z.strictObject({ enabled: z.boolean().optional(), preferences: z.array(channel).max(20).optional() }),
    output: preferenceV1,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const subscriber = await findSubscriber(tx, context, String(params['subscriberId']))
        const change = { workflowId: '', channels: toChannels(body.preferences ?? []), enabled: body.enabled }
        await storePreference(tx, context, { subscriber, change })
        return toGlobalItem((await loadPreferences(tx, subscriber)).get(''))
      }),
  }),
])

async function listItems(
  db: Session,
  { environment }: CallContext,
  subscriber: SubscriberRow,
): Promise<readonly JsonObject[]> {
  const chosen = await loadPreferences(db, subscriber)
  const rows = await db
    .selectFrom('workflows')
    .select(preferenceColumns)
    .where('environmentId', '=', environment.id)
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  return rows.map((workflow) => toItem(workflow, chosen))
}

function toItem(workflow: PreferenceWorkflow, chosen: ReadonlyMap<string, PreferenceRow>): JsonObject {
  const { enabled, channels, overrides } = resolveChannels({
    workflow,
    global: chosen.get(''),
    own: chosen.get(workflow.id),
  })
  const { id, name, identifier } = workflow
  const triggers = [{ type: 'event', identifier, variables: [] }]
  return {
    template: { _id: id, name, critical: isCritical(workflow), triggers },
    preference: { enabled, channels, overrides },
  }
}

function toGlobalItem(row: PreferenceRow | undefined): JsonObject {
  const { enabled, channels } = toGlobal(row)
  return { preference: { enabled, channels } }
}
