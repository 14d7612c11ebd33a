import type { JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { belongsTo, type ChannelIntegration, findChannelIntegration } from '../../engine/intake/channel-integration.ts'
import { subscriber } from '../../resources/subscriber.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from './find-subscriber.ts'
import { type ChannelBody, channelField, maxDeviceTokens } from './subscriber-fields.ts'
import { toSubscriber } from './subscriber-view.ts'

const path = '/v1/subscribers/{subscriberId}/credentials'
const common = { category: 'configuration', wrapped: true } as const

type Channel = JsonObject & { readonly credentials: JsonObject }

export const credentialOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.updateCredentials',
    access: 'edit',
    method: 'PUT',
    path,
    summary: "Replaces the credentials of a subscriber's channel.",
    body: channelField,
    output: subscriber,
    handler: (context, { params, body }) =>
      change(context, String(params['subscriberId']), async (tx, channels) => {
        const integration = await findActive(tx, context, body)
        return [...channels.filter((channel) => !belongsTo(channel, integration)), toChannel(body, integration)]
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.appendCredentials',
    access: 'edit',
    method: 'PATCH',
    path,
    summary:
      "Adds to the credentials of a subscriber's channel; device tokens are merged, and the newest 100 are kept.",
    body: channelField,
    output: subscriber,
    handler: (context, { params, body }) =>
      change(context, String(params['subscriberId']), async (tx, channels) => {
        const integration = await findActive(tx, context, body)
        const before = channels.findLast((channel) => belongsTo(channel, integration))
        const credentials = unite(before?.credentials ?? {}, body.credentials)
        const next = toChannel({ ...body, credentials }, integration)
        return [...channels.filter((channel) => !belongsTo(channel, integration)), next]
      }),
  }),
  operation({
    ...common,
    name: 'subscribers.deleteCredentials',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{providerId}`,
    summary: "Deletes a subscriber's credentials for one provider.",
    status: 204,
    handler: (context, { params }) =>
      change(context, String(params['subscriberId']), async (_tx, channels) =>
        channels.filter(({ providerId }) => providerId !== params['providerId']),
      ),
  }),
])

async function change(
  context: CallContext,
  subscriberId: string,
  edit: (tx: Session, channels: readonly Channel[]) => Promise<readonly Channel[]>,
): Promise<unknown> {
  return context.store.transaction(async (tx) => {
    const row = await findSubscriber(tx, context, subscriberId)
    const channels = JSON.stringify(await edit(tx, JSON.parse(row.channels) as readonly Channel[]))
    const next: SubscriberRow = { ...row, channels, updatedAt: context.clock.now() }
    await tx.updateTable('subscribers').set({ channels, updatedAt: next.updatedAt }).where('id', '=', row.id).execute()
    return toSubscriber(next, context.organizationId)
  })
}

async function findActive(
  tx: Session,
  { environment }: CallContext,
  { providerId, integrationIdentifier: identifier }: ChannelBody,
): Promise<ChannelIntegration> {
  const integration = await findChannelIntegration(tx, { environmentId: environment.id, providerId, identifier })
  if (integration?.active === 1) return integration
  const which = identifier === undefined ? '' : ` with the identifier ${JSON.stringify(identifier)}`
  throw new ApiError(
    400,
    `The environment has no active integration for ${providerId}${which}. Create it with POST /v1/integrations first.`,
  )
}

function toChannel({ providerId, credentials }: ChannelBody, { id, identifier }: ChannelIntegration): Channel {
  return { providerId, integrationIdentifier: identifier, _integrationId: id, credentials }
}

/** A token that is sent again counts as new: its device is in use. */
function unite(before: JsonObject, added: JsonObject): JsonObject {
  const newTokens = list(added['deviceTokens'])
  const oldTokens = list(before['deviceTokens']).filter((token) => !newTokens.includes(token))
  const deviceTokens = [...oldTokens, ...newTokens].slice(-maxDeviceTokens)
  return { ...before, ...added, ...(deviceTokens.length > 0 ? { deviceTokens } : {}) }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
