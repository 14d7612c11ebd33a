import type { JsonObject } from '@trestle/protocol'
import type { Problem } from '../engine/port/channel-port.ts'
import { readText } from '../json/json.ts'
import { type ApiRequestInput, findMissing, toApiRequest } from './apis/api-request.ts'
import { readFiles } from './apis/mail-fields.ts'
import type { ApiMessage, ProviderApi } from './apis/provider-api.ts'
import type { Draft } from './base/delivery.ts'
import type { Destination } from './provider/destinations.ts'
import type { ProviderOverrides } from './provider/provider-overrides.ts'
import { withQuery } from './webhook/with-query.ts'

/** A draft to convert for a provider's API, and its sources. */
export interface ApiDraftInput {
  readonly api: ProviderApi
  /** The draft in the format for other senders. */
  readonly draft: Draft
  readonly destination: Destination
  /** The overrides of the message. */
  readonly overrides: ProviderOverrides
}

/** Overrides that change the message itself; all others are fields of the provider's own API. */
const mailFields: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'html', 'text', 'headers', 'attachments', 'senderName'],
])
const otherFields: ReadonlySet<string> = new Set(['to', 'from', 'content', 'title'])

/**
 * Returns the overrides that change the message itself.
 *
 * @param isMail - Whether it is an email.
 */
export function messageOverrides(overrides: ProviderOverrides, isMail: boolean): ProviderOverrides {
  const messageFields = isMail ? mailFields : otherFields
  const fields = Object.fromEntries(Object.entries(overrides.fields).filter(([name]) => messageFields.has(name)))
  return { fields, body: {}, headers: {}, query: {} }
}

/**
 * Converts a draft to the format of a provider's API.
 *
 * @param input - The API, the draft and the overrides.
 */
export function draftForApi({ api, draft, destination, overrides }: ApiDraftInput): Draft {
  const { credentials } = destination
  const isMail = api.channel === 'email'
  const messageFields = isMail ? mailFields : otherFields
  const rest = Object.fromEntries(Object.entries(overrides.fields).filter(([name]) => !messageFields.has(name)))
  const message = toMessage(draft, destination, api)
  const { body, headers } = overrides
  const input: ApiRequestInput = { api, message, credentials, fields: rest, body, headers }
  const request = toApiRequest(input)
  const problem = draft.problem ?? findMissing(api, credentials) ?? findRefusal(api, message)
  const outgoing = { ...request, url: withQuery(request.url, overrides.query) }
  return { ...draft, outgoing, ...(problem && { problem }) }
}

/**
 * Returns a draft in the common format of provider APIs: a chat message uses the recipient's address at the provider,
 * and a push message has only device tokens.
 */
function toMessage(
  { outgoing, recipient }: Draft,
  { address, deviceTokens, credentials }: Destination,
  { channel }: ProviderApi,
): ApiMessage {
  const mail = outgoing?.kind === 'mail' ? outgoing.mail : {}
  const body: JsonObject = outgoing?.kind === 'request' ? outgoing.body : {}
  return {
    to: readText(body['to']) ?? address ?? (channel === 'chat' || channel === 'push' ? '' : recipient),
    from: readText(body['from']) ?? readText(credentials['from']),
    title: readText(body['title']) ?? '',
    text: readText(body['content']) ?? readText(body['text']) ?? '',
    deviceTokens,
    mail,
  }
}

function findRefusal({ channel, encoding, ...api }: ProviderApi, message: ApiMessage): Problem | undefined {
  const { deviceTokens, mail, from, to } = message
  if (channel === 'chat' && to === '') {
    const { endpoint, isPhone = false } = api.address ?? {}
    const text = `The subscriber has no address at the provider. Store a channel endpoint of the type "${endpoint}"${isPhone ? ' or a phone number' : ' or its credential "channel"'}.`
    return { code: 'chat_address_missing', message: text, status: 'warning' }
  }
  if (channel === 'sms' && from === undefined && !api.mayLackSender) {
    const text = 'The SMS has no sender. Set "from" in the credentials of the integration, or in the overrides.'
    return { code: 'sender_missing', message: text, status: 'error' }
  }
  if (channel === 'push' && deviceTokens.length === 0) {
    const text = 'The subscriber has no device at the provider. Store its device tokens in the credentials.'
    return { code: 'device_tokens_missing', message: text, status: 'warning' }
  }
  if (channel !== 'email' || encoding !== 'form' || readFiles(mail).length === 0) return undefined
  const text = 'This API does not support files. Use the SMTP server of the provider for emails with files.'
  return { code: 'attachments_unsupported', message: text, status: 'error' }
}
