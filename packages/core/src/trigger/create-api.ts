import type { ApiClientOptions, EventsClient } from '@trestle/api-client/events'
import { CodedError } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import { resolveSecrets, toSecrets } from '../config/authentication.ts'
import { findEnvironment } from '../config/environment.ts'
import { resolveApiUrl, type ServicePreset } from '../config/service-preset.ts'
import type { Account, RequestSettings } from './account.ts'
import type { KeyedSettings } from './request-key.ts'

const maxClients = 16
const clients = new Map<string, EventsClient>()

/** The account settings of triggers. */
export interface ApiSettings extends Account {
  /** The environment's secret key. @default SERVICE_SECRET_KEY, else SERVICE_API_KEY */
  readonly secretKey?: string | readonly string[] | undefined
  /** Base address of the service's REST API. @default SERVICE_API_URL */
  readonly apiUrl?: string | undefined
  /** The variable names of another service. @default those of the bridge the workflow is mounted in */
  readonly service?: ServicePreset | undefined
  /** The maximum number of retries. @default that of the API client */
  readonly maxRetries?: number | undefined
}

/** The account settings of a call, and how to abort it. */
export interface CallSettings extends ApiSettings, RequestSettings, KeyedSettings {
  readonly signal?: AbortSignal | undefined
}

/** Returns the options for a call of the API client. */
export function toCallOptions({
  idempotencyKey,
  signal,
}: CallSettings): Parameters<EventsClient['events']['trigger']>[1] {
  return { ...(idempotencyKey !== undefined && { idempotencyKey }), ...(signal && { signal }) }
}

/**
 * Returns the REST API client, loaded at the first trigger and cached by address and secret.
 *
 * @param settings - The app's settings; addresses from calls are never used.
 * @throws CodedError - `MissingSecretKeyError`; `ApiRequestFailedError` if no address is set.
 */
export async function apiOf(settings: ApiSettings): Promise<EventsClient> {
  const environment = findEnvironment()
  const [secretKey] = resolveSecrets(toSecrets(settings.secretKey), environment, settings.service)
  if (secretKey === undefined)
    throw new CodedError(
      'MissingSecretKeyError',
      'Triggers and events need the secret key. Set SERVICE_SECRET_KEY or secretKey.',
    )
  const apiUrl = resolveApiUrl(settings.apiUrl, environment, settings.service)
  if (!apiUrl) throw apiFailed('The address of the REST API is not set. Set SERVICE_API_URL or the option apiUrl.')
  const { maxRetries } = settings
  const key = JSON.stringify([apiUrl, secretKey, maxRetries])
  const cachedClient = clients.get(key)
  if (cachedClient) return cachedClient
  const client = await create({ secretKey, apiUrl, ...(maxRetries !== undefined && { maxRetries }) })
  const oldest = clients.size < maxClients ? undefined : clients.keys().next().value
  if (oldest !== undefined) clients.delete(oldest)
  clients.set(key, client)
  return client
}

async function create(options: ApiClientOptions): Promise<EventsClient> {
  const { createEventsClient } = await import('@trestle/api-client/events')
  try {
    return createEventsClient(options)
  } catch (error) {
    throw apiFailed(`The REST API cannot be called: ${toThrown(error).message}`, error)
  }
}

/** Returns the error for a REST API call without a usable response. */
export function apiFailed(message: string, cause?: unknown): CodedError {
  return new CodedError('ApiRequestFailedError', message, { data: { statusCode: 502, message }, cause })
}
