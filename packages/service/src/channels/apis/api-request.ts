import type { JsonObject } from '@trestle/protocol'
import { mergeObjects, readText } from '../../json/json.ts'
import type { OutgoingRequest, Problem } from '../base/delivery.ts'
import { mailApis } from './mail-apis.ts'
import { pushApis, smsApis } from './other-apis.ts'
import type { ApiMessage, ProviderApi } from './provider-api.ts'

/** The providers whose HTTP API takes messages, by provider id. */
export const providerApis: Readonly<Record<string, ProviderApi>> = { ...mailApis, ...smsApis, ...pushApis }

/**
 * Returns how the HTTP API of a provider takes messages; `undefined` where it is not known here.
 *
 * @param providerId - The provider.
 */
export function apiOf(providerId: string): ProviderApi | undefined {
  return Object.hasOwn(providerApis, providerId) ? providerApis[providerId] : undefined
}

/** The parts of a request to a provider's API. */
export interface ApiRequestInput {
  /** The API. */
  readonly api: ProviderApi
  /** The message. */
  readonly message: ApiMessage
  /** The integration's credentials. */
  readonly credentials: JsonObject
  /** Fields of the body in the API's own names, which win. */
  readonly fields: JsonObject
  /** Further headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the request that hands a message to a provider's API.
 *
 * @param input - API, message and credentials.
 */
export function toApiRequest({ api, message, credentials, fields, headers }: ApiRequestInput): OutgoingRequest {
  const fill = (text: string, encode: (value: string) => string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(readText(credentials[name]) ?? ''))
  const own = Object.entries(api.headers).filter(([, text]) => holdsAll(text, credentials))
  const filled = own.map(([name, text]) => [name, toBasic(fill(text, (value) => value))])
  const { idPath, expects, keyPath, encoding = 'json' } = api
  const baseUrl = (readText(credentials['baseUrl']) ?? api.baseUrl).replace(/\/+$/, '')
  return {
    kind: 'request',
    method: 'POST',
    url: baseUrl + fill(api.path, encodeURIComponent),
    headers: { ...Object.fromEntries(filled), ...headers },
    body: mergeObjects(api.toBody(message, credentials), fields),
    idPath,
    encoding,
    secrets: ['apiKey', 'secretKey', 'token'].flatMap((name) => readText(credentials[name]) ?? []),
    ...(expects && { expects }),
    ...(keyPath && { keyPath }),
  }
}

/** A header whose credentials are not stored is left out: Expo takes messages with and without a key. */
function holdsAll(text: string, credentials: JsonObject): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => readText(credentials[name]) !== undefined)
}

function toBasic(text: string): string {
  const [, pair] = /^basic\((.*)\)$/s.exec(text) ?? []
  return pair === undefined ? text : `Basic ${Buffer.from(pair).toString('base64')}`
}

/**
 * Returns why an integration cannot send anything; `undefined` where it has all the credentials that its API needs.
 *
 * @param api - The API.
 * @param credentials - The integration's credentials.
 */
export function findMissing({ needs, channel }: ProviderApi, credentials: JsonObject): Problem | undefined {
  const missing = needs.filter((name) => readText(credentials[name]) === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map((name) => `"${name}"`).join(' and ')
  const message = `The integration has no ${names} in its credentials, without which no ${channel} can be sent.`
  return { code: 'credentials_missing', message, status: 'error' }
}
