import { z } from 'zod'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { deletion } from '../../resources/deletion.ts'
import { named } from '../../resources/named.ts'
import { subscriber } from '../../resources/subscriber.ts'
import { findSubscriber } from './find-subscriber.ts'
import { removeSubscriber, storeSubscriber } from './store-subscriber.ts'
import { channelField, profileFields } from './subscriber-fields.ts'
import { toSubscriber } from './subscriber-view.ts'

const profile = named(
  'SubscriberProfile',
  'The profile fields a caller may set; `null` clears one.',
  z.strictObject(profileFields),
)
const profileWithChannels = named(
  'SubscriberUpdateV1',
  'The fields of a subscriber that API v1 changes.',
  z.strictObject({
    ...profileFields,
    channels: z
      .array(channelField)
      .max(100)
      .optional()
      .describe('Channels with their credentials. Credentials of other integrations are kept.'),
  }),
)

/** Differences between the API versions in the operations on one subscriber. */
export interface SubscriberVersion {
  readonly path: string
  /** Whether results have an envelope. */
  readonly wrapped: boolean
  readonly names: { readonly get: string; readonly change: string; readonly remove: string }
  /** The method of an update, and whether it accepts channels. */
  readonly change: { readonly method: 'PUT' | 'PATCH'; readonly hasChannels: boolean }
}

/** Returns the operations that read, change and delete one subscriber. */
export function subscriberOperationsOf({ path, wrapped, names, change }: SubscriberVersion): readonly AnyOperation[] {
  const common = {
    category: 'configuration',
    wrapped,
    output: subscriber,
    path: `${path}/{subscriberId}`,
  } as const
  return [
    operation({
      ...common,
      name: names.get,
      access: 'view',
      method: 'GET',
      summary: 'Returns a subscriber.',
      async handler(context, { params }) {
        const row = await findSubscriber(context.store.db, context, String(params['subscriberId']))
        return toSubscriber(row, context.organizationId)
      },
    }),
    operation({
      ...common,
      name: names.change,
      access: 'edit',
      method: change.method,
      summary: 'Updates the given fields of a subscriber.',
      body: change.hasChannels ? profileWithChannels : profile,
      handler: (context, { params, body }) =>
        context.store.repeatable(async (tx) => {
          const subscriberId = String(params['subscriberId'])
          await findSubscriber(tx, context, subscriberId)
          const { row } = await storeSubscriber(tx, context, { ...body, subscriberId })
          return toSubscriber(row, context.organizationId)
        }),
    }),
    operation({
      ...common,
      name: names.remove,
      access: 'edit',
      method: 'DELETE',
      summary:
        'Deletes a subscriber with its messages, preferences, subscriptions, connections and endpoints, and cancels its runs.',
      output: deletion,
      async handler(context, { params }) {
        await removeSubscriber(context, String(params['subscriberId']))
        return { acknowledged: true, status: 'deleted' }
      },
    }),
  ]
}
