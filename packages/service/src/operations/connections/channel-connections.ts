import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact, toObject } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { ChannelConnectionRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { type AnyOperation, operation } from '../operation.ts'
import {
  connectionFilters,
  contextField,
  contextKeysFilter,
  findIntegration,
  identifierField,
  optionalPart,
  pageOf,
  part,
  toContextKeys,
  toListConditions,
} from './connection-parts.ts'

const workspace = z.strictObject({ id: part, name: optionalPart, botUserId: optionalPart })
const auth = z.strictObject({
  accessToken: part,
  refreshToken: optionalPart,
  expiresAt: optionalPart,
  refreshTokenExpiresAt: optionalPart,
})
const output = z.looseObject({ identifier: z.string(), integrationIdentifier: z.string().nullable() })
const common = { category: 'configuration', wrapped: false, output } as const
const path = '/v1/channel-connections'

/** The operations on channel connections: a workspace at a provider, with its tokens. Tokens are masked when read. */
export const channelConnectionOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'channelConnections.list',
    method: 'GET',
    path,
    summary: 'Lists the channel connections',
    query: z.object({
      ...cursorFields(['createdAt', 'updatedAt']),
      ...connectionFilters,
      contextKeys: contextKeysFilter,
      connectionMode: z.enum(['subscriber', 'shared'], 'must be subscriber or shared').optional(),
    }),
    output: pageOf(output),
    async handler(context, { query }) {
      const { connectionMode: mode } = query
      const isShared = sql`"subscriberId" is ${sql.raw(mode === 'shared' ? 'null' : 'not null')}`
      const page = await readCursorPage<ChannelConnectionRow>(
        context.store.db,
        {
          from: sql`"channelConnections"`,
          select: sql`*`,
          where: [...toListConditions(context, query), ...(mode === undefined ? [] : [isShared])],
          id: sql`"id"`,
          order: { createdAt: sql`"createdAt"`, updatedAt: sql`"updatedAt"` },
        },
        query,
      )
      return { ...page, data: page.data.map((row) => show(row, context)) }
    },
  }),
  operation({
    ...common,
    name: 'channelConnections.create',
    method: 'POST',
    path,
    summary: 'Creates a channel connection',
    status: 201,
    body: z.strictObject({
      identifier: identifierField,
      subscriberId: optionalPart,
      context: contextField,
      connectionMode: z.enum(['subscriber', 'shared'], 'must be subscriber or shared').optional(),
      integrationIdentifier: part,
      workspace,
      auth,
    }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const integration = await findIntegration(tx, context, body.integrationIdentifier)
        if (body.connectionMode === 'subscriber' && !body.subscriberId)
          throw invalid('subscriberId', 'is missing: a connection of a subscriber names one')
        const nowMs = context.clock.now()
        const row: ChannelConnectionRow = {
          id: createId(nowMs),
          environmentId: context.environment.id,
          identifier: body.identifier ?? `connection-${randomBytes(8).toString('hex')}`,
          integrationIdentifier: integration.identifier,
          providerId: integration.providerId,
          channel: integration.channel,
          subscriberId: body.connectionMode === 'shared' ? null : (body.subscriberId ?? null),
          contextKeys: JSON.stringify(toContextKeys(body.context)),
          workspace: JSON.stringify(body.workspace),
          auth: context.vault.seal(JSON.stringify(body.auth)),
          createdAt: nowMs,
          updatedAt: nowMs,
        }
        await refuseSecond(tx, row)
        await unlessTaken(row.identifier, () => tx.insertInto('channelConnections').values(row).execute())
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelConnections.retrieve',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a channel connection',
    handler: async (context, { params }) => show(await find(context.store.db, context, params['identifier']), context),
  }),
  operation({
    ...common,
    name: 'channelConnections.update',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: "Replaces a connection's workspace and tokens",
    body: z.strictObject({ workspace, auth }),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const found = await find(tx, context, params['identifier'])
        if (Object.values(body.auth).includes(secretMask)) throw invalid('auth', 'holds the mask of a token')
        const row: ChannelConnectionRow = {
          ...found,
          workspace: JSON.stringify(body.workspace),
          auth: context.vault.seal(JSON.stringify(body.auth)),
          updatedAt: context.clock.now(),
        }
        await tx.updateTable('channelConnections').set(row).where('id', '=', row.id).execute()
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelConnections.delete',
    method: 'DELETE',
    path: `${path}/{identifier}`,
    summary: 'Deletes a channel connection',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params['identifier'])
        await tx.deleteFrom('channelConnections').where('id', '=', id).execute()
      }),
  }),
])

async function find(db: Session, { environment }: CallContext, identifier = ''): Promise<ChannelConnectionRow> {
  const row = await db
    .selectFrom('channelConnections')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (!row) throw notFound('Channel connection', identifier)
  return row
}

/** One connection for a subscriber (or for all), its contexts and an integration. */
async function refuseSecond(tx: Session, row: ChannelConnectionRow): Promise<void> {
  const other = await tx
    .selectFrom('channelConnections')
    .select('identifier')
    .where('environmentId', '=', row.environmentId)
    .where('integrationIdentifier', '=', row.integrationIdentifier)
    .where('subscriberId', row.subscriberId === null ? 'is' : '=', row.subscriberId)
    .where('contextKeys', '=', row.contextKeys)
    .executeTakeFirst()
  if (other) throw new ApiError(409, `There is such a connection already: "${other.identifier}".`)
}

async function unlessTaken(identifier: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError(409, `The channel connection "${identifier}" exists already.`)
  }
}

function show(row: ChannelConnectionRow, { vault }: CallContext): JsonObject {
  const { accessToken, refreshToken, ...times } = toObject(JSON.parse(vault.open(row.auth)))
  const mask = (token: unknown) => (token === undefined ? undefined : secretMask)
  return {
    identifier: row.identifier,
    channel: row.channel,
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    subscriberId: row.subscriberId,
    contextKeys: JSON.parse(row.contextKeys),
    workspace: JSON.parse(row.workspace),
    auth: compact({ accessToken: mask(accessToken), refreshToken: mask(refreshToken), ...times }),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
