import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { jsonObject, key, queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { ChannelEndpointRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
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
import { endpointTypes, maskEndpoint, parseEndpoint } from './endpoint-types.ts'
import { ensureSubscriber } from './ensure-subscriber.ts'

const output = z.looseObject({ identifier: z.string(), type: z.string() })
const common = { category: 'configuration', wrapped: false, output } as const
const path = '/v1/channel-endpoints'

/** The operations on channel endpoints: where a subscriber is reached at a provider. */
export const channelEndpointOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'channelEndpoints.list',
    method: 'GET',
    path,
    summary: 'Lists the channel endpoints',
    query: z.object({
      ...cursorFields(['createdAt', 'updatedAt']),
      ...connectionFilters,
      contextKeys: contextKeysFilter,
      connectionIdentifier: queryText(),
    }),
    output: pageOf(output),
    async handler(context, { query }) {
      const { connectionIdentifier: connection } = query
      const page = await readCursorPage<ChannelEndpointRow>(
        context.store.db,
        {
          from: sql`"channelEndpoints"`,
          select: sql`*`,
          where: [
            ...toListConditions(context, query),
            ...(connection === undefined ? [] : [sql`"connectionIdentifier" = ${connection}`]),
          ],
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
    name: 'channelEndpoints.create',
    method: 'POST',
    path,
    summary: 'Creates a channel endpoint',
    status: 201,
    body: z.strictObject({
      identifier: identifierField,
      subscriberId: key(),
      context: contextField,
      integrationIdentifier: part,
      connectionIdentifier: optionalPart,
      type: z.enum(endpointTypes, `must be one of ${endpointTypes.join(', ')}`),
      endpoint: jsonObject(),
      createSubscriberIfMissing: z.boolean('must be true or false').optional(),
    }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const integration = await findIntegration(tx, context, body.integrationIdentifier)
        await ensureSubscriber(tx, context, { ...body, isCreated: body.createSubscriberIfMissing === true })
        if (body.connectionIdentifier !== undefined) await findConnection(tx, context, body.connectionIdentifier)
        const nowMs = context.clock.now()
        const row: ChannelEndpointRow = {
          id: createId(nowMs),
          environmentId: context.environment.id,
          identifier: body.identifier ?? `endpoint-${randomBytes(8).toString('hex')}`,
          integrationIdentifier: integration.identifier,
          providerId: integration.providerId,
          channel: integration.channel,
          connectionIdentifier: body.connectionIdentifier ?? null,
          subscriberId: body.subscriberId,
          contextKeys: JSON.stringify(toContextKeys(body.context)),
          type: body.type,
          endpoint: context.vault.seal(JSON.stringify(parseEndpoint(body.type, body.endpoint))),
          createdAt: nowMs,
          updatedAt: nowMs,
        }
        await unlessTaken(row.identifier, () => tx.insertInto('channelEndpoints').values(row).execute())
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelEndpoints.retrieve',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a channel endpoint',
    handler: async (context, { params }) => show(await find(context.store.db, context, params['identifier']), context),
  }),
  operation({
    ...common,
    name: 'channelEndpoints.update',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: "Replaces an endpoint's address",
    body: z.strictObject({ endpoint: jsonObject() }),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const found = await find(tx, context, params['identifier'])
        const endpoint = context.vault.seal(JSON.stringify(parseEndpoint(found.type, body.endpoint)))
        const row: ChannelEndpointRow = { ...found, endpoint, updatedAt: context.clock.now() }
        await tx.updateTable('channelEndpoints').set(row).where('id', '=', row.id).execute()
        return show(row, context)
      }),
  }),
  operation({
    ...common,
    name: 'channelEndpoints.delete',
    method: 'DELETE',
    path: `${path}/{identifier}`,
    summary: 'Deletes a channel endpoint',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params['identifier'])
        await tx.deleteFrom('channelEndpoints').where('id', '=', id).execute()
      }),
  }),
])

async function find(db: Session, { environment }: CallContext, identifier = ''): Promise<ChannelEndpointRow> {
  const row = await db
    .selectFrom('channelEndpoints')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (!row) throw notFound('Channel endpoint', identifier)
  return row
}

async function findConnection(tx: Session, { environment }: CallContext, identifier: string): Promise<void> {
  const row = await tx
    .selectFrom('channelConnections')
    .select('id')
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (!row) throw notFound('Channel connection', identifier)
}

async function unlessTaken(identifier: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError(409, `The channel endpoint "${identifier}" exists already.`)
  }
}

function show(row: ChannelEndpointRow, { vault }: CallContext): JsonObject {
  return {
    identifier: row.identifier,
    channel: row.channel,
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    connectionIdentifier: row.connectionIdentifier,
    subscriberId: row.subscriberId,
    contextKeys: JSON.parse(row.contextKeys),
    type: row.type,
    endpoint: maskEndpoint(toObject(JSON.parse(vault.open(row.endpoint)))),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
