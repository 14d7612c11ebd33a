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

/** The columns a list is filtered by. */
export type ConnectionFilter = 'subscriberId' | 'channel' | 'providerId' | 'integrationIdentifier'

/** The filter by contexts: `type:id`, all of which an item belongs to. */
export const contextKeysFilter: z.ZodType<string[] | undefined> = queryList()

/** The identifier of a new connection or endpoint. */
export const identifierField: z.ZodType<string | undefined> = pathId().optional()

/** The columns that are read as filters. */
export const filterColumns: readonly ConnectionFilter[] = Object.freeze([
  'subscriberId',
  'channel',
  'providerId',
  'integrationIdentifier',
])

/** The filters of a list. */
export type ConnectionFilters = Readonly<Partial<Record<ConnectionFilter, string | undefined>>> & {
  /** Contexts, `type:id`, all of which an item belongs to. */
  readonly contextKeys?: readonly string[] | undefined
}

/**
 * Returns the conditions of a list.
 *
 * @param context - The call.
 * @param query - The filters.
 */
export function toListConditions(
  { environment }: CallContext,
  query: ConnectionFilters,
): readonly RawBuilder<unknown>[] {
  const named = filterColumns.flatMap((name) =>
    query[name] === undefined ? [] : [sql`${sql.ref(name)} = ${query[name]}`],
  )
  // Keys are stored as a JSON list of texts, so a key is found with its quotes around it.
  const keys = (query.contextKeys ?? []).map((key) => holds(sql.ref('contextKeys'), JSON.stringify(key)))
  return [sql`"environmentId" = ${environment.id}`, ...named, ...keys]
}

/**
 * Finds an integration by its identifier.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param identifier - The identifier.
 * @throws {ApiError} There is none.
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

/** A text of a connection or endpoint: an id, a token or an address. */
export const part: z.ZodType<string> = filledText(4000)

/** The same where it may be left out. */
export const optionalPart: z.ZodType<string | undefined> = text(4000).optional()
