import type { JsonObject, MessageType } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { text } from '../../api/input.ts'
import { maskSecrets } from '../../bridge/mask-secrets.ts'
import { apiOf } from '../../channels/apis/api-request.ts'
import type { Delivery, SubscriberChannel } from '../../channels/base/delivery.ts'
import { createContent } from '../../channels/content/create-content.ts'
import { withContent } from '../../channels/content/with-content.ts'
import { draftMessage } from '../../channels/draft-message.ts'
import { toRow } from '../../channels/message-row.ts'
import { findDestinationsOf } from '../../channels/provider/destinations.ts'
import { listProviders } from '../../channels/provider/provider-catalogue.ts'
import { senderOf } from '../../channels/provider/providers.ts'
import { secretsOfCredentials } from '../../channels/sealed-delivery.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText, toObject } from '../../json/json.ts'
import { integrationTest, provider } from '../../resources/provider.ts'
import { createId } from '../../store/create-id.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'

const common = { category: 'global', wrapped: true } as const

/** Operations that help to set up integrations: the providers with their credentials, and a test message. */
export const integrationTestOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.providers',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/providers',
    summary: 'Lists the providers with the credentials they take',
    output: z.array(provider),
    handler: async () => listProviders() as unknown as readonly JsonObject[],
  }),
  operation({
    ...common,
    name: 'studio.testIntegration',
    access: 'administer',
    method: 'POST',
    path: '/v1/studio/integrations/{integrationId}/test',
    summary: 'Sends a test message through an integration, active or not; a refusal is reported in the result',
    body: z.strictObject({
      to: text(5000).optional().describe('An email address, phone number, device token, chat or webhook.'),
    }),
    output: integrationTest,
    async handler(context, { params, body }) {
      const { integrationId = '' } = params
      const row = await context.store.db
        .selectFrom('integrations')
        .selectAll()
        .where('id', '=', integrationId)
        .where('environmentId', '=', context.environment.id)
        .executeTakeFirst()
      if (!row) throw notFound('Integration', integrationId)
      if (senderOf(row.providerId) === 'none' || row.kind === 'agent')
        throw new ApiError(400, `"${row.identifier}" sends no messages, so it cannot be tested.`)
      return sendTest(context, row, body.to?.trim() ?? '')
    },
  }),
])

/** Channels whose messages have no recipient without an address. */
const addressed: ReadonlySet<string> = new Set(['email', 'sms', 'push'])

async function sendTest(context: CallContext, row: IntegrationRow, to: string): Promise<JsonObject> {
  if (to === '' && addressed.has(row.channel)) throw invalid('to', 'is missing')
  const { store, vault } = context
  const given = toDelivery(context, row, to)
  const delivery = withContent(given, await createContent(store.db, given))
  const [destination] = await findDestinationsOf(store.db, row, { delivery, vault })
  if (!destination) throw new ApiError(400, 'The message has no destination.')
  const id = createId(delivery.nowMs)
  const draft = await draftMessage(store.db, { delivery, destination, messageId: id })
  const message = toRow(draft, { id, delivery, destination, vault })
  const { patch, notes } =
    message.status === 'pending' ? await context.sendMessage(message) : { patch: message, notes: [] }
  if (patch.status === 'sent') return { ok: true, providerMessageId: patch.providerMessageId ?? null }
  // A message that may be retried has its failure only in the note, whose text announces the retry.
  const { code, message: reason } = toObject(notes[0]?.raw)
  const said = patch.errorText ?? readText(reason) ?? notes[0]?.detail ?? 'The message was not sent.'
  const secrets = secretsOfCredentials(destination.credentials)
  return { ok: false, code: patch.errorId ?? readText(code) ?? 'not_sent', message: String(maskSecrets(said, secrets)) }
}

const title = 'Test message'
const body = 'This integration works.'
const outputs: Readonly<Record<string, JsonObject>> = {
  email: { subject: title, body: `<p>${body}</p>` },
  push: { subject: title, body },
}

/** Returns a message of a run that does not exist, for one address. */
function toDelivery(context: CallContext, row: IntegrationRow, to: string): Delivery {
  const type = row.channel as MessageType
  const subscriberId = 'test'
  return {
    environmentId: context.environment.id,
    run: {
      ...{ id: '', transactionId: '', workflowId: '', workflowIdentifier: 'test' },
      ...{ payload: {}, overrides: {}, contextKeys: [], tags: [], severity: 'none', critical: false },
    },
    job: { id: '', stepId: 'test', type },
    subscriber: {
      ...{ _id: '', subscriberId },
      ...(type === 'email' && { email: to }),
      ...(type === 'sms' && { phone: to }),
      channels: to === '' ? [] : toChannels(row, to),
    },
    outputs: Object.hasOwn(outputs, type) ? (outputs[type] ?? {}) : { body: `${title}: ${body}` },
    providers: {},
    nowMs: context.clock.now(),
  }
}

/** Recipients of chat and push messages have addresses at each provider. */
function toChannels(row: IntegrationRow, to: string): readonly SubscriberChannel[] {
  const { id, identifier, providerId, channel } = row
  const named = { providerId, _integrationId: id, integrationIdentifier: identifier }
  if (channel === 'push') return [{ ...named, credentials: { deviceTokens: [to] } }]
  return channel === 'chat' ? [{ ...named, credentials: apiOf(providerId) ? { channel: to } : { webhookUrl: to } }] : []
}
