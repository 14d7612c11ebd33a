import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { createId } from '../../store/create-id.ts'
import type { ChannelConnectionRow } from '../../store/schema/delivery.ts'
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
import { findConnectionRow as find, refuseSecond, showConnection as show, unlessTaken } from './connection-row.ts'

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
