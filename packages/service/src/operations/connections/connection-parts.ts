import { messageTypes } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { filledText, pathId, queryList, queryText, text } from '../../api/input.ts'
import { queryChoice } from '../../api/query-fields.ts'
import type { CallContext } from '../../context/service-context.ts'
import { holds } from '../../store/holds.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** The filters that lists of connections and of endpoints share. */
export const connectionFilters: Readonly<Record<ConnectionFilter, z.ZodType<string | undefined>>> = {
  subscriberId: queryText(),
  channel: queryChoice(messageTypes),
  providerId: queryText(),
  integrationIdentifier: queryText(),
}

export type ConnectionFilter = 'subscriberId' | 'channel' | 'providerId' | 'integrationIdentifier'

/** Filters by contexts (`type:id`); an item must belong to all of them. */
export const contextKeysFilter: z.ZodType<string[] | undefined> = queryList()

/** The identifier of a new connection or endpoint. */
export const identifierField: z.ZodType<string | undefined> = pathId().optional()

export const filterColumns: readonly ConnectionFilter[] = Object.freeze([
  'subscriberId',
  'channel',
  'providerId',
  'integrationIdentifier',
])

/** The filters of a list. */
export type ConnectionFilters = Readonly<Partial<Record<ConnectionFilter, string | undefined>>> & {
  /** Contexts (`type:id`); an item must belong to all of them. */
  readonly contextKeys?: readonly string[] | undefined
}

/** Returns the SQL conditions of a list. */
export function toListConditions(
  { environment }: CallContext,
  query: ConnectionFilters,
): readonly RawBuilder<unknown>[] {
  const named = filterColumns.flatMap((name) =>
    query[name] === undefined ? [] : [sql`${sql.ref(name)} = ${query[name]}`],
  )
  // Keys are stored as a JSON list of strings, so the search text includes the quotes.
  const keys = (query.contextKeys ?? []).map((key) => holds(sql.ref('contextKeys'), JSON.stringify(key)))
  return [sql`"environmentId" = ${environment.id}`, ...named, ...keys]
}

/**
 * Finds an integration by its identifier.
 *
 * @throws {ApiError} 404 if it does not exist.
 */
export async function findIntegration(
  db: Session,
  { environment }: CallContext,
  identifier: string,
): Promise<IntegrationRow> {
  const row = await db
    .selectFrom('integrations')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (!row) throw notFound('Integration', identifier)
  return row
}

/** A string of a connection or endpoint: an id, a token or an address. */
export const part: z.ZodType<string> = filledText(4000)

/** An optional {@link part}. */
export const optionalPart: z.ZodType<string | undefined> = text(4000).optional()
