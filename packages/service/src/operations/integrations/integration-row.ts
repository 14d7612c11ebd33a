import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { invalid } from '../../api/api-error.ts'
import { maskCredentials, unmaskCredentials } from '../../channels/provider/mask-credentials.ts'
import { channelOf } from '../../channels/provider/providers.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText, toObject } from '../../json/json.ts'
import { reportReaders } from '../../reports/report-readers.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { createId } from '../../store/create-id.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { IntegrationChange, NewIntegration } from './integration-fields.ts'

/**
 * Returns the row of a new integration.
 *
 * @throws {ApiError} 422 if provider and channel are missing or do not match, or the body is for another environment.
 */
export function toNewRow(context: CallContext, body: NewIntegration): IntegrationRow {
  checkEnvironment(context, body._environmentId)
  const { providerId } = body
  if (providerId === undefined) throw invalid('providerId', 'is missing: set the delivery provider')
  const providerChannel = channelOf(providerId)
  const channel = body.channel ?? providerChannel
  if (channel === undefined && body.kind !== 'agent')
    throw invalid('channel', `is missing: "${providerId}" is not a known provider, so set the channel it delivers to`)
  if (providerChannel !== undefined && channel !== providerChannel)
    throw invalid('channel', `must be ${providerChannel} for "${providerId}"`)
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
    credentials: sealCredentials(context, { id, providerId }, { given: body.credentials ?? {}, stored: {} }),
    configurations: JSON.stringify(body.configurations ?? {}),
    conditions: JSON.stringify(body.conditions ?? []),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}

/**
 * Returns the changed row of an integration.
 *
 * @param currentRow - The current row.
 * @throws {ApiError} 422 if a masked credential has no saved value, or the body is for another environment.
 */
export function toChangedRow(
  context: CallContext,
  currentRow: IntegrationRow,
  body: IntegrationChange,
): IntegrationRow {
  checkEnvironment(context, body._environmentId)
  const active = body.active ?? currentRow.active === 1
  const stored = openCredentials(context, currentRow)
  return {
    ...currentRow,
    name: body.name ?? currentRow.name,
    identifier: body.identifier ?? currentRow.identifier,
    active: active ? 1 : 0,
    isPrimary: active ? currentRow.isPrimary : 0,
    credentials:
      body.credentials === undefined
        ? currentRow.credentials
        : sealCredentials(context, currentRow, { given: body.credentials, stored }),
    configurations: body.configurations === undefined ? currentRow.configurations : JSON.stringify(body.configurations),
    conditions: body.conditions === undefined ? currentRow.conditions : JSON.stringify(body.conditions),
    updatedAt: context.clock.now(),
  }
}

/**
 * Returns the credentials of an integration.
 *
 * @param context - The call, whose vault decrypts them.
 */
export function openCredentials({ vault }: Pick<CallContext, 'vault'>, row: IntegrationRow): JsonObject {
  return toObject(JSON.parse(vault.open(row.credentials, sealedPlaces.credentials(row.id))))
}

/** Returns the path that receives the delivery reports of an integration. */
export const toReportsPath = (integrationId: string): string => `/v1/integrations/${integrationId}/reports`

/** Returns an integration in the API format, with its credentials masked. */
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
    ...(reportReaders.has(row.providerId) && { reportsUrl: `${context.address.read()}${toReportsPath(row.id)}` }),
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
  { id, providerId }: Pick<IntegrationRow, 'id' | 'providerId'>,
  { given, stored }: { readonly given: JsonObject; readonly stored: JsonObject },
): string {
  const { credentials, unknown, kept, moved } = unmaskCredentials(given, stored)
  const [name] = unknown
  if (name !== undefined) throw invalid(`credentials.${name}`, 'is the mask of a secret, but no secret is saved')
  const [secret] = kept
  if (secret !== undefined && moved.length > 0)
    throw invalid(
      `credentials.${secret}`,
      `is the mask of a secret. A saved secret is kept only if the fields that decide where it is sent stay unchanged. Send the secret itself to change ${moved.join(', ')}`,
    )
  checkReportKey(providerId, credentials)
  return vault.seal(JSON.stringify(credentials), sealedPlaces.credentials(id))
}

/** A wrong key would only be noticed when reports are missing. */
function checkReportKey(providerId: string, credentials: JsonObject): void {
  const reader = reportReaders.get(providerId)
  const value = reader && credentials[reader.credential]
  if (!reader || value === undefined || value === '' || value === null) return
  const fault = reader.findFault(readText(value) ?? '')
  if (fault !== undefined) throw invalid(`credentials.${reader.credential}`, fault)
}

function checkEnvironment({ environment }: CallContext, environmentId: string | undefined): void {
  if (environmentId !== undefined && environmentId !== environment.id)
    throw invalid('_environmentId', `must be the environment of the key, ${environment.id}`)
}

function toSlug(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return slug.replace(/^-|-$/g, '').slice(0, 60) || 'integration'
}
