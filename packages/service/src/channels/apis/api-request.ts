import { isObject, type JsonObject } from '@trestle/protocol'
import type { Problem } from '../../engine/port/channel-port.ts'
import { mergeObjects, readText, toObject } from '../../json/json.ts'
import type { OutgoingRequest } from '../base/delivery.ts'
import { readApiMail } from './api-mail.ts'
import { chatApis } from './chat-apis.ts'
import { mailApis } from './mail-apis.ts'
import type { ApiMessage, ProviderApi } from './provider-api.ts'
import { pushApis } from './push-apis.ts'
import { smsApis } from './sms-apis.ts'

/** The HTTP APIs of message providers, by provider id. */
export const providerApis: Readonly<Record<string, ProviderApi>> = {
  ...mailApis,
  ...smsApis,
  ...pushApis,
  ...chatApis,
}

/** Returns the HTTP API of a provider; `undefined` if it is unknown. */
export function apiOf(providerId: string): ProviderApi | undefined {
  return Object.hasOwn(providerApis, providerId) ? providerApis[providerId] : undefined
}

/** The input of a request to a provider's API. */
export interface ApiRequestInput {
  readonly api: ProviderApi
  readonly message: ApiMessage
  /** The integration's credentials. */
  readonly credentials: JsonObject
  /** Body fields with the API's own names, which take precedence. */
  readonly fields: JsonObject
  /** Merged into the body last. */
  readonly body: JsonObject
  /** Additional headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the request that sends a message to a provider's API.
 *
 * @param input - The API, the message and the credentials.
 */
export function toApiRequest({ api, message, fields, body, headers, ...input }: ApiRequestInput): OutgoingRequest {
  const credentials = { ...input.credentials, ...api.expand?.(input.credentials) }
  const texts: JsonObject = { ...credentials, to: message.to || message.deviceTokens[0] }
  const own = Object.entries(api.headers).filter(([, text]) => holdsAll(text, credentials))
  const filled = own.map(([name, text]) => [name, toBasic(fill(text, texts, (value) => value))])
  const { idPath, expects, keyPath, keyHeaders, encoding = 'json', http2, root } = api
  const auth = api.toAuth?.(credentials)
  const { mail, refusal } = readApiMail(message.mail, api)
  const merged = mergeObjects(fields, root === undefined ? body : toObject(body[root]))
  return {
    kind: 'request',
    receiver: 'provider',
    method: 'POST',
    url: toBaseUrl(api, credentials) + fill(api.path, texts, encodeURIComponent),
    headers: { ...Object.fromEntries(filled), ...headers },
    body: mergeObjects(
      api.toBody({ ...message, mail }, credentials, merged),
      root === undefined ? fields : { [root]: fields },
      body,
    ),
    idPath,
    encoding,
    secrets: secretNames.flatMap((name) => readText(credentials[name]) ?? []),
    ...(expects && { expects }),
    ...(keyPath && { keyPath }),
    ...(keyHeaders && { keyHeaders }),
    ...(http2 && { http2 }),
    ...(auth && { auth }),
    ...(refusal && { refusal }),
  }
}

/** Returns the URL of an API, without a trailing slash. */
export function toBaseUrl({ baseUrl }: ProviderApi, credentials: JsonObject): string {
  return (readText(credentials['baseUrl']) ?? fill(baseUrl, credentials, encodeURIComponent)).replace(/\/+$/, '')
}

/** Replaces names in braces with their values. */
function fill(text: string, texts: JsonObject, encode: (value: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(readText(texts[name]) ?? ''))
}

const secretNames: readonly string[] = [...['apiKey', 'secretKey', 'token', 'apiToken', 'serviceAccount', 'privateKey']]

/**
 * Returns whether the credentials contain all names in a header; if not, the header is omitted, because Expo accepts
 * messages with and without a key.
 */
function holdsAll(text: string, credentials: JsonObject): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => readText(credentials[name]) !== undefined)
}

function toBasic(text: string): string {
  const [, pair] = /^basic\((.*)\)$/s.exec(text) ?? []
  return pair === undefined ? text : `Basic ${Buffer.from(pair).toString('base64')}`
}

/**
 * Returns why an integration cannot send; `undefined` if it has all required credentials.
 *
 * @param saved - The integration's credentials.
 */
export function findMissing(
  { needs, channel, expand, findFault }: ProviderApi,
  saved: JsonObject,
): Problem | undefined {
  const missing = needs.filter((name) => !isGiven(saved[name]))
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(' and ')
    const message = `The integration has no ${names} in its credentials, which ${channel} delivery requires.`
    return { code: 'credentials_missing', message, status: 'error' }
  }
  const fault = findFault?.({ ...saved, ...expand?.(saved) })
  if (fault === undefined) return undefined
  const message = `The credentials of the integration are invalid: ${fault}.`
  return { code: 'credentials_invalid', message, status: 'error' }
}

const isGiven = (value: unknown): boolean => isObject(value) || readText(value) !== undefined
