import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid, refuseTaken } from '../../api/api-error.ts'
import { toEnvironmentType } from '../../api/environment-type.ts'
import { filledText, jsonObject, text, webAddress } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { type InboxSettings, inboxSettingsField, readInboxSettings } from '../../inbox/inbox-settings.ts'
import { compact } from '../../json/json.ts'
import { apiKey, environment } from '../../resources/environment.ts'
import { named } from '../../resources/named.ts'
import type { EnvironmentRow } from '../../store/schema/account.ts'
import type { Session } from '../../store/store.ts'
import { hiddenKey, hideKeys, regenerateApiKey, storeApiKey, toApiKey } from './api-key.ts'
import { findEnvironment, findOwnEnvironment } from './find-environment.ts'
import { addEnvironment } from './prepare-environments.ts'
import { removeEnvironment } from './remove-environment.ts'

const path = '/v1/environments'
const common = { category: 'global', wrapped: true } as const
const color = text(50).optional()

/** The operations on environments and their keys. @source service-api.md#authentication */
export const environmentOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'environments.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the environments. People see those in which they have a role.',
    output: z.array(environment),
    async handler(context) {
      const rows = await context.store.db.selectFrom('environments').selectAll().orderBy('id').execute()
      const { person } = context
      return rows.filter(({ id }) => person?.roles.has(id) ?? true).map((row) => toEnvironment(row, context))
    },
  }),
  operation({
    ...common,
    name: 'environments.getCurrent',
    access: 'view',
    method: 'GET',
    path: `${path}/me`,
    summary: 'Returns the environment of the secret key.',
    output: environment,
    handler: async (context) => toEnvironment(context.environment, context),
  }),
  operation({
    ...common,
    name: 'environments.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Creates an environment. Its secret key is only shown in this answer.',
    status: 201,
    body: named(
      'NewEnvironment',
      'A new environment.',
      z.strictObject({
        name: filledText(100).describe('The display name.'),
        parentId: text(100).optional().describe('The environment from which changes are promoted.'),
        color: color.describe('Display color, such as `#ff0000`.'),
      }),
    ),
    output: environment,
    handler: (context, { body }) => create(context, body),
    hideSecret: (result) => ({ ...(result as JsonObject), apiKeys: hideKeys((result as JsonObject)['apiKeys']) }),
  }),
  operation({
    ...common,
    name: 'environments.update',
    access: 'administer',
    method: 'PUT',
    path: `${path}/{environmentId}`,
    summary: 'Changes the environment of the secret key.',
    body: named(
      'EnvironmentUpdate',
      'A change to an environment.',
      z.strictObject({
        name: filledText(100).optional().describe('The display name.'),
        identifier: filledText(100).optional().describe('The application identifier.'),
        parentId: text(100).optional().describe('The environment from which changes are promoted.'),
        color: color.describe('Display color.'),
        bridge: z
          .strictObject({ url: z.literal('').or(webAddress()).optional() })
          .optional()
          .describe('The URL of the bridge.'),
        dns: jsonObject().optional(),
        inbox: inboxSettingsField.optional(),
      }),
    ),
    output: environment,
    handler: (context, { params, body }) => update(context, String(params['environmentId']), body),
  }),
  operation({
    ...common,
    name: 'environments.delete',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{environmentId}`,
    summary: 'Deletes the custom environment of the secret key, with all its data.',
    output: z.boolean(),
    async handler(context, { params }) {
      await context.store.transaction(async (tx) => {
        const row = await findOwnEnvironment(tx, context, String(params['environmentId']))
        if (context.ownEnvironmentIds.has(row.id))
          throw new ApiError(400, `The environment ${row.name} cannot be deleted.`)
        await removeEnvironment(tx, context.queue, row.id)
      })
      context.revocations.check()
      return true
    },
  }),
  operation({
    ...common,
    name: 'apiKeys.list',
    access: 'administer',
    method: 'GET',
    path: `${path}/api-keys`,
    summary: 'Returns when the secret key was created. The key itself is never shown again.',
    output: z.array(apiKey),
    async handler({ store, environment, organizationId }) {
      const rows = await store.db
        .selectFrom('apiKeys')
        .selectAll()
        .where('environmentId', '=', environment.id)
        .execute()
      return rows.map(({ createdAt }) => ({
        ...toApiKey(hiddenKey, organizationId),
        createdAt: new Date(createdAt).toISOString(),
      }))
    },
  }),
  operation({
    ...common,
    name: 'apiKeys.regenerate',
    access: 'administer',
    method: 'POST',
    path: `${path}/api-keys/regenerate`,
    summary: 'Replaces the secret key. The old one expires at once; the new one is only shown in this answer.',
    status: 201,
    output: z.array(apiKey),
    async handler({ store, vault, clock, environment, organizationId, revocations }) {
      const options = { vault, nowMs: clock.now() }
      const key = await store.transaction((tx) => regenerateApiKey(tx, environment.id, options))
      revocations.check()
      return [toApiKey(key, organizationId)]
    },
    hideSecret: hideKeys,
  }),
])

/**
 * Settings of other environments, such as a bridge URL with a token, are shown only to those environments’ own keys.
 */
function toEnvironment(row: EnvironmentRow, { organizationId, environment }: CallContext): JsonObject {
  const isOwn = row.id === environment.id
  return compact({
    _id: row.id,
    name: row.name,
    _organizationId: organizationId,
    identifier: row.applicationIdentifier,
    slug: `${row.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}_env_${row.id}`,
    _parentId: row.parentId ?? undefined,
    type: toEnvironmentType(row),
    color: row.color ?? undefined,
    bridge: row.bridgeUrl === null || !isOwn ? undefined : { url: row.bridgeUrl },
    dns: isOwn ? JSON.parse(row.extra).dns : undefined,
    inbox: isOwn ? { ...readInboxSettings(row) } : undefined,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}

const maxEnvironments = 100

async function refuseTooMany(tx: Session): Promise<void> {
  const { count } = await tx
    .selectFrom('environments')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxEnvironments)
    throw new ApiError(403, `The maximum of ${maxEnvironments} environments is reached. Delete one with its key first.`)
}

interface NewBody {
  readonly name: string
  readonly parentId?: string | undefined
  readonly color?: string | undefined
}

function create(context: CallContext, body: NewBody): Promise<JsonObject> {
  const { store, vault, clock } = context
  const created = store.transaction(async (tx) => {
    if (body.parentId !== undefined) await findEnvironment(tx, body.parentId)
    await refuseTooMany(tx)
    const row = await addEnvironment(tx, { ...body, nowMs: clock.now() })
    const key = await storeApiKey(tx, row.id, { vault, nowMs: clock.now() })
    return { ...toEnvironment(row, context), apiKeys: [toApiKey(key, context.organizationId)] }
  })
  return created.catch(refuseTaken('An environment with this name or identifier already exists.'))
}

interface Changes {
  readonly name?: string | undefined
  readonly identifier?: string | undefined
  readonly parentId?: string | undefined
  readonly color?: string | undefined
  readonly bridge?: { readonly url?: string | undefined } | undefined
  readonly dns?: JsonObject | undefined
  readonly inbox?: InboxSettings | undefined
}

function update(context: CallContext, id: string, body: Changes): Promise<JsonObject> {
  const { name, identifier, parentId, color: newColor, bridge, dns, inbox } = body
  const changed = context.store.transaction(async (tx) => {
    const row = await findOwnEnvironment(tx, context, id)
    if (parentId === id) throw invalid('parentId', 'must be another environment')
    if (parentId !== undefined) await findEnvironment(tx, parentId)
    const next: EnvironmentRow = {
      ...row,
      name: name ?? row.name,
      applicationIdentifier: identifier ?? row.applicationIdentifier,
      parentId: parentId ?? row.parentId,
      color: newColor ?? row.color,
      bridgeUrl: bridge?.url === undefined ? row.bridgeUrl : bridge.url === '' ? null : bridge.url,
      extra: JSON.stringify({
        ...JSON.parse(row.extra),
        ...(dns === undefined ? {} : { dns }),
        ...(inbox === undefined ? {} : { inbox: { ...readInboxSettings(row), ...inbox } }),
      }),
      updatedAt: context.clock.now(),
    }
    await tx.updateTable('environments').set(next).where('id', '=', id).execute()
    return toEnvironment(next, context)
  })
  return changed.catch(refuseTaken('An environment with this name or identifier already exists.'))
}
