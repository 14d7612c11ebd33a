import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import { notFound, refuseTaken } from '../../api/api-error.ts'
import { type ContextFields, readContextKeys } from '../../api/context-fields.ts'
import { type CursorPage, type CursorQuery, readCursorPage } from '../../api/cursor-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { ChannelConnectionRow, ChannelEndpointRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { type ConnectionFilters, findIntegration, toListConditions } from './connection-parts.ts'

export interface ConnectionTables {
  readonly channelConnections: ChannelConnectionRow
  /** Addresses of subscribers. */
  readonly channelEndpoints: ChannelEndpointRow
}

/** Columns of both tables. */
export type SharedColumns = Pick<ChannelConnectionRow, keyof ChannelConnectionRow & keyof ChannelEndpointRow>

const labels = { channelConnections: 'Channel connection', channelEndpoints: 'Channel endpoint' } as const

/**
 * Returns a page of connections or endpoints.
 *
 * @param query - Filters and cursor.
 * @param from - The table and additional conditions.
 */
export function listRows<TTable extends keyof ConnectionTables>(
  context: CallContext,
  query: CursorQuery & ConnectionFilters,
  from: { readonly table: TTable; readonly where: readonly RawBuilder<unknown>[] },
): Promise<CursorPage<ConnectionTables[TTable]>> {
  const source = {
    from: sql.table(from.table),
    select: sql`*`,
    where: [...toListConditions(context, query), ...from.where],
    id: sql`"id"`,
    order: { createdAt: sql`"createdAt"`, updatedAt: sql`"updatedAt"` },
  }
  return readCursorPage<ConnectionTables[TTable]>(context.store.db, source, query)
}

/**
 * Finds a row by its identifier.
 *
 * @throws {ApiError} 404 if it does not exist.
 */
export async function findRow<TTable extends keyof ConnectionTables>(
  db: Session,
  { environment }: CallContext,
  { table, identifier = '' }: { readonly table: TTable; readonly identifier: string | undefined },
): Promise<ConnectionTables[TTable]> {
  const { rows } = await sql<ConnectionTables[TTable]>`select * from ${sql.table(table)}
    where "environmentId" = ${environment.id} and "identifier" = ${identifier}`.execute(db)
  const [row] = rows
  if (!row) throw notFound(labels[table], identifier)
  return row
}

/** Fields of a new row that both tables share. */
export interface NewConnection {
  /** The identifier. @default a random one */
  readonly identifier?: string | undefined
  readonly integrationIdentifier: string
  readonly context?: ContextFields | undefined
}

/**
 * Returns the columns of a new row that both tables share.
 *
 * @param body - The request body, and the prefix of random identifiers.
 * @throws {ApiError} 404 if the integration does not exist.
 */
export async function toColumns(
  tx: Session,
  context: CallContext,
  body: NewConnection & { readonly prefix: string },
): Promise<Omit<SharedColumns, 'subscriberId'>> {
  const integration = await findIntegration(tx, context, body.integrationIdentifier)
  const nowMs = context.clock.now()
  return {
    id: createId(nowMs),
    environmentId: context.environment.id,
    identifier: body.identifier ?? `${body.prefix}-${randomBytes(8).toString('hex')}`,
    integrationIdentifier: integration.identifier,
    providerId: integration.providerId,
    channel: integration.channel,
    contextKeys: JSON.stringify(readContextKeys(body.context) ?? []),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}

/** Returns the handler of a write that was rejected because the identifier exists. @throws {ApiError} 409 */
export function refuseSame(table: keyof ConnectionTables, identifier: string): (error: unknown) => never {
  return refuseTaken(`The ${labels[table].toLowerCase()} "${identifier}" already exists.`)
}

/** Returns the API fields that connections and endpoints share. */
export function showColumns(row: SharedColumns): JsonObject {
  return {
    identifier: row.identifier,
    channel: row.channel,
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    subscriberId: row.subscriberId,
    contextKeys: JSON.parse(row.contextKeys),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}

/** Returns the operation that deletes a row by its identifier. */
export function deleteOperation(table: keyof ConnectionTables, path: string): AnyOperation {
  return operation({
    category: 'configuration',
    wrapped: false,
    name: `${table}.delete`,
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{identifier}`,
    summary: `Deletes a ${labels[table].toLowerCase()}`,
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await findRow(tx, context, { table, identifier: params['identifier'] })
        await tx.deleteFrom(table).where('id', '=', id).execute()
      }),
  })
}
