import type { JsonObject } from '@trestle/protocol'
import { mergeObjects, readText } from '../../json/json.ts'
import type { OutgoingRequest, Problem } from '../base/delivery.ts'
import { mailApis } from './mail-apis.ts'
import type { ApiMessage, ProviderApi } from './provider-api.ts'
import { pushApis } from './push-apis.ts'
import { smsApis } from './sms-apis.ts'

/** The HTTP APIs of message providers, by provider id. */
export const providerApis: Readonly<Record<string, ProviderApi>> = { ...mailApis, ...smsApis, ...pushApis }

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
  /** Body fields in the API's own names, which have priority. */
  readonly fields: JsonObject
  /** Additional headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the request that sends a message to a provider's API.
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

/** A header whose credentials are missing is omitted: Expo accepts messages with and without a key. */
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
 * @param credentials - The integration's credentials.
 */
export function findMissing({ needs, channel }: ProviderApi, credentials: JsonObject): Problem | undefined {
  const missing = needs.filter((name) => readText(credentials[name]) === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map((name) => `"${name}"`).join(' and ')
  const message = `The integration has no ${names} in its credentials, which ${channel} delivery requires.`
  return { code: 'credentials_missing', message, status: 'error' }
}
