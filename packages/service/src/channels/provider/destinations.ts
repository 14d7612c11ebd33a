import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '@trestle/protocol'
import { holdsFor } from '../../engine/base/holds-for.ts'
import type { Problem } from '../../engine/port/channel-port.ts'
import { readText, toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { UnsealableError, type Vault } from '../../secrets/vault.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { apiOf } from '../apis/api-request.ts'
import type { Delivery } from '../base/delivery.ts'
import { matchesConditions } from './conditions.ts'
import { findWantedIntegration } from './provider-overrides.ts'
import { ownProviderOf, type SenderKind, senderOf } from './providers.ts'

/** The destination of a message: who delivers it, and the recipient's address there. */
export interface Destination {
  readonly providerId: string
  /** How the provider is reached; `none` if the message is kept in the outbox. */
  readonly sender: SenderKind
  /** Row id of the integration; absent if none is configured. */
  readonly integrationId?: string
  /** The integration's credentials; empty if none is configured. */
  readonly credentials: JsonObject
  /** The recipient's webhook at the provider. */
  readonly webhookUrl?: string
  /** The recipient's chat or phone number at a chat provider with an API. */
  readonly address?: string
  /** The recipient's device tokens at the provider. */
  readonly deviceTokens: readonly string[]
  /** Distinguishes the messages of one integration, if each device gets a separate message. */
  readonly part?: string
  /** Why the message cannot be delivered. */
  readonly problem?: Problem
  /** The identifier of the integration; absent if none is configured. */
  readonly identifier?: string
  /** The integrations that are tried in this order if this one fails. @default none */
  readonly fallbacks?: readonly Destination[]
}

/** Channels that may deliver through several providers at once. */
const manyChannels: ReadonlySet<string> = new Set(['chat', 'push'])

/**
 * Returns the destinations of a message: the integration that the trigger names, else the first with matching
 * conditions, primary ones first. A chat or push message is sent to each integration where the recipient has an
 * address.
 *
 * @returns At least one destination; the outbox if no integration is configured.
 */
export async function findDestinations(tx: Session, delivery: Delivery, vault: Vault): Promise<readonly Destination[]> {
  const { type } = delivery.job
  const active = await readActive(tx, delivery)
  const wanted = findWantedIntegration(delivery.run.overrides, type)
  if (wanted !== undefined) {
    const row = active.find(({ identifier }) => identifier === wanted)
    return row ? findDestinationsOf(tx, row, { delivery, vault }) : [notFound(delivery, wanted)]
  }
  const rows = active.filter(({ conditions }) => matchesConditions(conditions, delivery))
  const [first] = rows
  if (first === undefined) return [toOutbox(delivery)]
  if (!manyChannels.has(type)) return [await toFirst(tx, rows, { delivery, vault })]
  const all = await Promise.all(rows.map((row) => toDestination(tx, row, { delivery, vault })))
  const reached = all.filter(
    ({ webhookUrl, address, deviceTokens }) => (webhookUrl ?? address) !== undefined || deviceTokens.length > 0,
  )
  return reached.length > 0 ? reached.flatMap(split) : all.slice(0, 1)
}

/**
 * The maximum number of integrations that are tried after the first, because a draft for each is stored with the
 * message.
 */
const maxFallbacks = 2

/** Returns the first integration, with the next ones if its configuration enables failover. */
async function toFirst(
  tx: Session,
  [first, ...others]: readonly IntegrationRow[],
  options: { readonly delivery: Delivery; readonly vault: Vault },
): Promise<Destination> {
  if (first === undefined) return toOutbox(options.delivery)
  const destination = await toDestination(tx, first, options)
  if (toObject(JSON.parse(first.configurations))['failover'] !== true) return destination
  const next = others.filter(({ providerId }) => senderOf(providerId) !== 'none').slice(0, maxFallbacks)
  return { ...destination, fallbacks: await Promise.all(next.map((row) => toDestination(tx, row, options))) }
}

/**
 * Returns the destinations of a message at one integration, active or not.
 *
 * @param row - The integration.
 * @param options - The message, and the vault that decrypts credentials.
 */
export async function findDestinationsOf(
  tx: Session,
  row: IntegrationRow,
  options: { readonly delivery: Delivery; readonly vault: Vault },
): Promise<readonly Destination[]> {
  return split(await toDestination(tx, row, options))
}

/**
 * An API that accepts one device at a time gets one message per device, so that a retry never reaches a device twice.
 */
function split(destination: Destination): readonly Destination[] {
  const { providerId, deviceTokens } = destination
  if (!apiOf(providerId)?.isPerDevice || deviceTokens.length === 0) return [destination]
  return deviceTokens.map((token) => ({
    ...destination,
    deviceTokens: [token],
    part: createHash('sha256').update(token).digest('base64url'),
  }))
}

async function readActive(tx: Session, { environmentId, job }: Delivery): Promise<readonly IntegrationRow[]> {
  const rows = await tx
    .selectFrom('integrations')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('channel', '=', job.type)
    .where('active', '=', 1)
    .orderBy('isPrimary', 'desc')
    .orderBy('priority', 'desc')
    .orderBy('id')
    .execute()
  return rows.filter(({ kind }) => kind !== 'agent')
}

async function toDestination(
  tx: Session,
  row: IntegrationRow,
  { delivery, vault }: { readonly delivery: Delivery; readonly vault: Vault },
): Promise<Destination> {
  const credentials = readCredentials(row, vault)
  if (!credentials) return unreadable(row)
  const subscriberAddress = readAddress(row, delivery)
  const api = apiOf(row.providerId)
  const isApiChat = api?.channel === 'chat'
  const own =
    (isApiChat ? subscriberAddress.channel : subscriberAddress.webhookUrl) ??
    (await readEndpoint(tx, row, { delivery, vault }))
  const phone = api?.address?.isPhone ? readText(delivery.subscriber.phone) : undefined
  // The URL of an API is not an address of the recipient.
  const webhookUrl = api ? undefined : (own ?? ownUrl(row, credentials))
  const address = isApiChat ? (own ?? phone ?? readText(credentials['channel'])) : undefined
  return {
    providerId: row.providerId,
    sender: senderOf(row.providerId),
    integrationId: row.id,
    identifier: row.identifier,
    credentials,
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(address === undefined ? {} : { address }),
    deviceTokens: subscriberAddress.deviceTokens,
  }
}

/**
 * Returns the credentials of an integration; `undefined` if the stored text was modified or encrypted with a different
 * key.
 */
function readCredentials({ id, credentials }: IntegrationRow, vault: Vault): JsonObject | undefined {
  try {
    return toObject(JSON.parse(vault.open(credentials, sealedPlaces.credentials(id))))
  } catch (error) {
    if (!(error instanceof UnsealableError)) throw error
    return undefined
  }
}

function unreadable({ id, identifier, providerId }: IntegrationRow): Destination {
  const message = `The credentials of the integration "${identifier}" cannot be decrypted. Store them again.`
  const problem: Problem = { code: 'credentials_unreadable', message, status: 'error' }
  return { providerId, sender: 'none', integrationId: id, identifier, credentials: {}, deviceTokens: [], problem }
}

interface Address {
  readonly webhookUrl: string | undefined
  /** The chat at a provider with an API. */
  readonly channel: string | undefined
  readonly deviceTokens: readonly string[]
}

/**
 * Returns the recipient's address at a provider. An address for the integration has priority over one for the provider;
 * among duplicates, the later one wins.
 */
function readAddress({ id, providerId, identifier }: IntegrationRow, { subscriber }: Delivery): Address {
  const stored = (subscriber.channels ?? []).filter((channel) => channel.providerId === providerId)
  const own =
    stored.findLast((one) => one._integrationId === id || one.integrationIdentifier === identifier) ??
    stored.findLast((one) => !one._integrationId && !one.integrationIdentifier)
  const { webhookUrl, channel } = toObject(own?.credentials)
  return {
    webhookUrl: readText(webhookUrl),
    channel: readText(channel),
    deviceTokens: [...new Set(own ? readTokens(own) : [])],
  }
}

function readTokens({ credentials }: { readonly credentials: JsonObject }): readonly string[] {
  const { deviceTokens } = credentials
  return Array.isArray(deviceTokens) ? deviceTokens.filter((token) => typeof token === 'string') : []
}

/** Returns the recipient's endpoint at a provider: the one for the most contexts of the run, the oldest of several. */
async function readEndpoint(
  tx: Session,
  { identifier, providerId }: IntegrationRow,
  { delivery, vault }: { readonly delivery: Delivery; readonly vault: Vault },
): Promise<string | undefined> {
  if (!manyChannels.has(delivery.job.type)) return undefined
  const { endpoint: type, field } = apiOf(providerId)?.address ?? { endpoint: 'webhook', field: 'url' }
  const rows = await tx
    .selectFrom('channelEndpoints')
    .select(['id', 'endpoint', 'contextKeys'])
    .where('environmentId', '=', delivery.environmentId)
    .where('integrationIdentifier', '=', identifier)
    .where('subscriberId', '=', delivery.subscriber.subscriberId)
    .where('type', '=', type)
    .orderBy('id')
    .execute()
  const countContexts = (row: { readonly contextKeys: string }): number => JSON.parse(row.contextKeys).length
  const [row] = rows
    .filter(({ contextKeys }) => holdsFor(contextKeys, delivery.run.contextKeys))
    .sort((left, right) => countContexts(right) - countContexts(left))
  const endpoint: unknown = row ? JSON.parse(vault.open(row.endpoint, sealedPlaces.endpoint(row.id))) : undefined
  return isObject(endpoint) ? readText(endpoint[field]) : undefined
}

/**
 * A push or SMS webhook is the same for all recipients; a chat integration may have one too, such as a team's channel.
 */
function ownUrl({ channel }: IntegrationRow, credentials: JsonObject): string | undefined {
  if (channel === 'email') return undefined
  return readText(credentials['webhookUrl']) ?? readText(credentials['baseUrl'])
}

function toOutbox({ job, subscriber }: Delivery): Destination {
  const tokens = job.type === 'push' ? (subscriber.channels ?? []).flatMap(readTokens) : []
  return { providerId: ownProviderOf(job.type), sender: 'none', credentials: {}, deviceTokens: [...new Set(tokens)] }
}

function notFound(delivery: Delivery, identifier: string): Destination {
  const message = `No active integration "${identifier}" exists for ${delivery.job.type}. Correct "integrationIdentifier" in the overrides.`
  return { ...toOutbox(delivery), problem: { code: 'integration_not_found', message, status: 'error' } }
}
