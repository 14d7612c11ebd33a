import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { invalid } from '../../api/api-error.ts'
import { maskCredentials, unmaskCredentials } from '../../channels/provider/mask-credentials.ts'
import { channelOf } from '../../channels/provider/providers.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { createId } from '../../store/create-id.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { IntegrationChange, NewIntegration } from './integration-fields.ts'

/**
 * Returns the row of a new integration.
 *
 * @param context - The call.
 * @param body - What was sent.
 * @throws {ApiError} Provider and channel are missing or do not fit, or the body is meant for another environment.
 */
export function toNewRow(context: CallContext, body: NewIntegration): IntegrationRow {
  checkEnvironment(context, body._environmentId)
  const { providerId } = body
  if (providerId === undefined) throw invalid('providerId', 'is missing: name the delivery provider')
  const known = channelOf(providerId)
  const channel = body.channel ?? known
  if (channel === undefined && body.kind !== 'agent')
    throw invalid('channel', `is missing: "${providerId}" is not known here, so say what it delivers`)
  if (known !== undefined && channel !== known) throw invalid('channel', `must be ${known} for "${providerId}"`)
  const nowMs = context.clock.now()
  const name = body.name ?? providerId
  const id = createId(nowMs)
  return {
    id,
    environmentId: context.environment.id,
    identifier: body.identifier ?? `${toSlug(name)}-${randomBytes(4).toString('hex')}`,
    providerId,
    channel: channel ?? '',
    name,
    kind: body.kind ?? null,
    active: body.active ? 1 : 0,
    isPrimary: 0,
    priority: 0,
    credentials: sealCredentials(context, id, { given: body.credentials ?? {}, stored: {} }),
    configurations: JSON.stringify(body.configurations ?? {}),
    conditions: JSON.stringify(body.conditions ?? []),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}

/**
 * Returns the row of an integration with its changes.
 *
 * @param context - The call.
 * @param found - The row as it is.
 * @param body - What was sent.
 * @throws {ApiError} A masked credential was never stored, or the body is meant for another environment.
 */
export function toChangedRow(context: CallContext, found: IntegrationRow, body: IntegrationChange): IntegrationRow {
  checkEnvironment(context, body._environmentId)
  const active = body.active ?? found.active === 1
  const stored = openCredentials(context, found)
  return {
    ...found,
    name: body.name ?? found.name,
    identifier: body.identifier ?? found.identifier,
    active: active ? 1 : 0,
    isPrimary: active ? found.isPrimary : 0,
    credentials:
      body.credentials === undefined
        ? found.credentials
        : sealCredentials(context, found.id, { given: body.credentials, stored }),
    configurations: body.configurations === undefined ? found.configurations : JSON.stringify(body.configurations),
    conditions: body.conditions === undefined ? found.conditions : JSON.stringify(body.conditions),
    updatedAt: context.clock.now(),
  }
}

/**
 * Returns the credentials of an integration.
 *
 * @param context - The call, whose vault opens them.
 * @param row - The integration.
 */
export function openCredentials({ vault }: Pick<CallContext, 'vault'>, row: IntegrationRow): JsonObject {
  return toObject(JSON.parse(vault.open(row.credentials, sealedPlaces.credentials(row.id))))
}

/**
 * Returns an integration as the API shows it, its credentials masked.
 *
 * @param row - The integration.
 * @param context - The call.
 */
export function showIntegration(row: IntegrationRow, context: CallContext): JsonObject {
  return {
    _id: row.id,
    _environmentId: row.environmentId,
    _organizationId: context.organizationId,
    name: row.name,
    identifier: row.identifier,
    providerId: row.providerId,
    ...(row.channel === '' ? {} : { channel: row.channel }),
    ...(row.kind === null ? {} : { kind: row.kind }),
    credentials: maskCredentials(openCredentials(context, row)),
    configurations: JSON.parse(row.configurations),
    conditions: JSON.parse(row.conditions),
    active: row.active === 1,
    primary: row.isPrimary === 1,
    priority: row.priority,
    deleted: false,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}

function sealCredentials(
  { vault }: CallContext,
  id: string,
  { given, stored }: { readonly given: JsonObject; readonly stored: JsonObject },
): string {
  const { credentials, unknown, kept, moved } = unmaskCredentials(given, stored)
  const [name] = unknown
  if (name !== undefined) throw invalid(`credentials.${name}`, 'is the mask of a secret, and none is stored')
  const [secret] = kept
  if (secret !== undefined && moved.length > 0)
    throw invalid(
      `credentials.${secret}`,
      `is the mask of a secret, which is kept only while everything that decides where it is sent stays as it is; send the secret itself to change ${moved.join(', ')}`,
    )
  return vault.seal(JSON.stringify(credentials), sealedPlaces.credentials(id))
}

function checkEnvironment({ environment }: CallContext, environmentId: string | undefined): void {
  if (environmentId !== undefined && environmentId !== environment.id)
    throw invalid('_environmentId', `must be the environment of the key, ${environment.id}`)
}

function toSlug(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return slug.replace(/^-|-$/g, '').slice(0, 60) || 'integration'
}
