import { sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { contextFields } from '../../api/context-fields.ts'
import { cursorFields } from '../../api/cursor-page.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { channelConnection } from '../../resources/context.ts'
import { named } from '../../resources/named.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { ChannelConnectionRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { connectionFilters, contextKeysFilter, identifierField, optionalPart, part } from './connection-parts.ts'
import { refuseSecond, showConnection as show } from './connection-row.ts'
import { deleteOperation, findRow, listRows, refuseSame, toColumns } from './connection-table.ts'

const workspace = z.strictObject({
  id: part.describe('The workspace id at the provider.'),
  name: optionalPart.describe('The display name.'),
  botUserId: optionalPart.describe('The id of the bot in the workspace.'),
})
const isToken = (text: string | undefined): boolean => text !== secretMask
const notMasked = 'is the mask of a token'
const auth = z.strictObject({
  accessToken: part.refine(isToken, notMasked).describe('The access token.'),
  refreshToken: optionalPart.refine(isToken, notMasked).describe('The refresh token.'),
  expiresAt: optionalPart.describe('When the access token expires.'),
  refreshTokenExpiresAt: optionalPart.describe('When the refresh token expires.'),
})
const common = { category: 'configuration', wrapped: false } as const
const path = '/v1/channel-connections'
const table = 'channelConnections'

const find = (db: Session, context: CallContext, identifier: string | undefined): Promise<ChannelConnectionRow> =>
  findRow(db, context, { table, identifier })

/** Operations on channel connections: a workspace at a provider, with its tokens. Tokens are masked when read. */
export const channelConnectionOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'channelConnections.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the channel connections',
    query: z.strictObject({
      ...cursorFields(['createdAt', 'updatedAt']),
      ...connectionFilters,
      contextKeys: contextKeysFilter,
      connectionMode: z.enum(['subscriber', 'shared'], 'must be subscriber or shared').optional(),
    }),
    output: cursorPageOf(channelConnection),
    async handler(context, { query }) {
      const { connectionMode: mode } = query
      const isShared = sql`"subscriberId" is ${sql.raw(mode === 'shared' ? 'null' : 'not null')}`
      const where = mode === undefined ? [] : [isShared]
      const page = await listRows(context, query, { table, where })
      return { ...page, data: page.data.map((row) => show(row, context)) }
    },
  }),
  operation({
    ...common,
    name: 'channelConnections.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Creates a channel connection',
    status: 201,
    body: named(
      'NewChannelConnection',
      'A new connection of a workspace to a channel.',
      z.strictObject({
        identifier: identifierField.describe('The identifier.'),
        subscriberId: optionalPart.describe('The subscriber it belongs to.'),
        context: contextFields.optional().describe('The contexts it applies to.'),
        connectionMode: z
          .enum(['subscriber', 'shared'], 'must be subscriber or shared')
          .optional()
          .describe('Whether it belongs to one subscriber or to all.'),
        integrationIdentifier: part.describe('The integration.'),
        workspace: workspace.describe('The workspace.'),
        auth: auth.describe('The tokens.'),
      }),
    ),
    output: channelConnection,
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        if (body.connectionMode === 'subscriber' && !body.subscriberId)
          throw invalid('subscriberId', 'is missing: required for a connection of a subscriber')
        const columns = await toColumns(tx, context, { ...body, prefix: 'connection' })
        const row: ChannelConnectionRow = {
          ...columns,
          subscriberId: body.connectionMode === 'shared' ? null : (body.subscriberId ?? null),
          workspace: JSON.stringify(body.workspace),
          auth: context.vault.seal(JSON.stringify(body.auth), sealedPlaces.auth(columns.id)),
        }
        await refuseSecond(tx, row)
        await tx.insertInto(table).values(row).execute().catch(refuseSame(table, row.identifier))
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelConnections.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a channel connection',
    output: channelConnection,
    handler: async (context, { params }) => show(await find(context.store.db, context, params['identifier']), context),
  }),
  operation({
    ...common,
    name: 'channelConnections.update',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: "Replaces a connection's workspace and tokens",
    body: z.strictObject({ workspace, auth }),
    output: channelConnection,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const existingRow = await find(tx, context, params['identifier'])
        const row: ChannelConnectionRow = {
          ...existingRow,
          workspace: JSON.stringify(body.workspace),
          auth: context.vault.seal(JSON.stringify(body.auth), sealedPlaces.auth(existingRow.id)),
          updatedAt: context.clock.now(),
        }
        await tx.updateTable(table).set(row).where('id', '=', row.id).execute()
        return show(row, context)
      }),
  }),
  deleteOperation(table, path),
])
