import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { contextFields } from '../../api/context-fields.ts'
import { cursorFields } from '../../api/cursor-page.ts'
import { jsonObject, key, queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { channelEndpoint } from '../../resources/context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { ChannelEndpointRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { connectionFilters, contextKeysFilter, identifierField, optionalPart, part } from './connection-parts.ts'
import { deleteOperation, findRow, listRows, refuseSame, showColumns, toColumns } from './connection-table.ts'
import { endpointChoices, endpointTypes, maskEndpoint, parseEndpoint } from './endpoint-types.ts'
import { ensureSubscriber } from './ensure-subscriber.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v1/channel-endpoints'
const table = 'channelEndpoints'

/** Operations on channel endpoints: addresses of a subscriber at a provider. */
export const channelEndpointOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'channelEndpoints.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the channel endpoints',
    query: z.strictObject({
      ...cursorFields(['createdAt', 'updatedAt']),
      ...connectionFilters,
      contextKeys: contextKeysFilter,
      connectionIdentifier: queryText(),
    }),
    output: cursorPageOf(channelEndpoint),
    async handler(context, { query }) {
      const { connectionIdentifier: connection } = query
      const where = connection === undefined ? [] : [sql`"connectionIdentifier" = ${connection}`]
      const page = await listRows(context, query, { table, where })
      return { ...page, data: page.data.map((row) => show(row, context)) }
    },
  }),
  operation({
    ...common,
    name: 'channelEndpoints.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Creates a channel endpoint',
    status: 201,
    body: z
      .strictObject({
        identifier: identifierField.describe('The identifier.'),
        subscriberId: key().describe('The subscriber.'),
        context: contextFields.optional().describe('The contexts it applies to.'),
        integrationIdentifier: part.describe('The integration.'),
        connectionIdentifier: optionalPart.describe('The connection.'),
        type: z.enum(endpointTypes, `must be one of ${endpointTypes.join(', ')}`).describe('The type.'),
        endpoint: jsonObject().describe('The address.'),
        createSubscriberIfMissing: z
          .boolean('must be true or false')
          .optional()
          .describe('Whether to create a missing subscriber.'),
      })
      .meta({
        id: 'NewChannelEndpoint',
        description: 'A new endpoint of a subscriber on a channel.',
        anyOf: endpointChoices,
      }),
    output: channelEndpoint,
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const columns = await toColumns(tx, context, { ...body, prefix: 'endpoint' })
        await ensureSubscriber(tx, context, { ...body, isCreated: body.createSubscriberIfMissing === true })
        const { connectionIdentifier: identifier } = body
        if (identifier !== undefined) await findRow(tx, context, { table: 'channelConnections', identifier })
        const row: ChannelEndpointRow = {
          ...columns,
          connectionIdentifier: identifier ?? null,
          subscriberId: body.subscriberId,
          type: body.type,
          endpoint: context.vault.seal(
            JSON.stringify(parseEndpoint(body.type, body.endpoint)),
            sealedPlaces.endpoint(columns.id),
          ),
        }
        await tx.insertInto(table).values(row).execute().catch(refuseSame(table, row.identifier))
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelEndpoints.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a channel endpoint',
    output: channelEndpoint,
    handler: async (context, { params }) => show(await find(context.store.db, context, params['identifier']), context),
  }),
  operation({
    ...common,
    name: 'channelEndpoints.update',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: "Replaces an endpoint's address",
    body: z.strictObject({ endpoint: jsonObject() }),
    output: channelEndpoint,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const existingRow = await find(tx, context, params['identifier'])
        const endpoint = context.vault.seal(
          JSON.stringify(parseEndpoint(existingRow.type, body.endpoint)),
          sealedPlaces.endpoint(existingRow.id),
        )
        const row: ChannelEndpointRow = { ...existingRow, endpoint, updatedAt: context.clock.now() }
        await tx.updateTable(table).set(row).where('id', '=', row.id).execute()
        return show(row, context)
      }),
  }),
  deleteOperation(table, path),
])

const find = (db: Session, context: CallContext, identifier: string | undefined): Promise<ChannelEndpointRow> =>
  findRow(db, context, { table, identifier })

function show(row: ChannelEndpointRow, { vault }: CallContext): JsonObject {
  const { connectionIdentifier, type } = row
  const endpoint = maskEndpoint(toObject(JSON.parse(vault.open(row.endpoint, sealedPlaces.endpoint(row.id)))))
  return { ...showColumns(row), connectionIdentifier, type, endpoint }
}
