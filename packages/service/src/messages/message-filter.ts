import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@trestle/protocol'
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { holds } from '../store/holds.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'

/** Selects in-app messages of a subscriber. */
export interface MessageFilter {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the subscriber. */
  readonly subscriberId: string
  /** Whether they were read. @default either */
  readonly read?: boolean | undefined
  /** Whether they were seen. @default either */
  readonly seen?: boolean | undefined
  /** Whether they are archived. @default either */
  readonly archived?: boolean | undefined
  /** Whether they are snoozed. @default either */
  readonly snoozed?: boolean | undefined
  /** Severities to include. @default any */
  readonly severities?: readonly string[] | undefined
  /** Row ids of feeds to include. @default any feed, or none */
  readonly feedIds?: readonly string[] | undefined
  /** Row ids of messages to include. @default any */
  readonly ids?: readonly string[] | undefined
  /** The earliest creation time, in milliseconds since 1970. */
  readonly createdFromMs?: number | undefined
  /** The latest creation time, in milliseconds since 1970. */
  readonly createdToMs?: number | undefined
  /** The message before the page, newest first. */
  readonly afterId?: string | undefined
  /** The newest message to include. */
  readonly upToId?: string | undefined
  /** Fields that the payload must have. */
  readonly payload?: JsonObject | undefined
  /** Fields that the data must have. */
  readonly data?: JsonObject | undefined
  /** Tags, of which they must have at least one; an empty list is ignored. */
  readonly tags?: readonly string[] | undefined
  /** Contexts (`type:id`); they must belong to all of them. */
  readonly contextKeys?: readonly string[] | undefined
}

/**
 * Returns the query for the messages that match a filter, as far as the database can evaluate it. See
 * {@link matchesTexts}.
 */
export function selectMessages(
  db: Session,
  filter: MessageFilter,
): SelectQueryBuilder<Tables, 'messages', Record<never, never>> {
  return db.selectFrom('messages').where((is) => is.and(toConditions(is, filter)))
}

/** Returns the conditions of a filter, for updates and deletions. */
export function toConditions(is: ExpressionBuilder<Tables, 'messages'>, filter: MessageFilter): Expression<SqlBool>[] {
  const { severities, feedIds, ids, createdFromMs, createdToMs, afterId, upToId, snoozed } = filter
  const flags = (['read', 'seen', 'archived'] as const).flatMap((name) => {
    const wanted = filter[name]
    return wanted === undefined ? [] : [is(name, '=', wanted ? 1 : 0)]
  })
  return [
    is('environmentId', '=', filter.environmentId),
    is('subscriberId', '=', filter.subscriberId),
    is('channel', '=', 'in_app'),
    // A message with a problem is stored, but not delivered.
    is('status', '=', 'sent'),
    ...flags,
    ...(snoozed === undefined ? [] : [is('snoozedUntil', snoozed ? 'is not' : 'is', null)]),
    ...(severities === undefined ? [] : [isIn(is, 'severity', severities)]),
    ...(feedIds === undefined ? [] : [isIn(is, 'feedId', feedIds)]),
    ...(ids === undefined ? [] : [isIn(is, 'id', ids)]),
    ...(createdFromMs === undefined ? [] : [is('createdAt', '>=', createdFromMs)]),
    ...(createdToMs === undefined ? [] : [is('createdAt', '<=', createdToMs)]),
    ...(afterId === undefined ? [] : [is('id', '<', afterId)]),
    ...(upToId === undefined ? [] : [is('id', '<=', upToId)]),
    ...toTextConditions(is, filter),
  ]
}

/** The number of document fields that the database searches for; more would not narrow the result much. */
const maxFields = 10

/** Stored documents are JSON without spaces, so any match contains its parts literally. */
function toTextConditions(is: ExpressionBuilder<Tables, 'messages'>, filter: MessageFilter): Expression<SqlBool>[] {
  const { payload, data, tags = [], contextKeys = [] } = filter
  const partOf = (name: 'payload' | 'data' | 'tags' | 'contextKeys') => (part: string) => holds(sql.ref(name), part)
  return [
    ...(tags.length === 0 ? [] : [is.or(tags.map((tag) => JSON.stringify(tag)).map(partOf('tags')))]),
    ...contextKeys.map((key) => JSON.stringify(key)).map(partOf('contextKeys')),
    ...toFields(payload).slice(0, maxFields).map(partOf('payload')),
    ...toFields(data).slice(0, maxFields).map(partOf('data')),
  ]
}

/** Returns primitive fields as they are written in JSON, at any depth. */
function toFields(value: JsonObject = {}): readonly string[] {
  return Object.entries(value).flatMap(([name, item]) => {
    if (isObject(item)) return toFields(item)
    return item === undefined || Array.isArray(item) ? [] : [`${JSON.stringify(name)}:${JSON.stringify(item)}`]
  })
}

/** Neither database accepts an empty list. */
function isIn(
  is: ExpressionBuilder<Tables, 'messages'>,
  name: 'severity' | 'feedId' | 'id',
  values: readonly string[],
) {
  return values.length === 0 ? is('id', '=', '') : is(name, 'in', values)
}

/** Returns whether a filter needs stored documents, which are checked row by row among the database's results. */
export function needsTexts({ payload = {}, data = {}, tags = [], contextKeys = [] }: MessageFilter): boolean {
  return [payload, data, tags, contextKeys].some((wanted) => Object.keys(wanted).length > 0)
}

/** Returns whether the stored documents of a message match a filter. */
export function matchesTexts(
  row: Pick<MessageRow, 'payload' | 'data' | 'tags' | 'contextKeys'>,
  { payload = {}, data = {}, tags = [], contextKeys = [] }: MessageFilter,
): boolean {
  const own: readonly unknown[] = tags.length === 0 ? [] : JSON.parse(row.tags)
  const keys: readonly unknown[] = contextKeys.length === 0 ? [] : JSON.parse(row.contextKeys)
  return (
    matchesDocument(row.payload, payload) &&
    matchesDocument(row.data, data) &&
    (tags.length === 0 || tags.some((tag) => own.includes(tag))) &&
    contextKeys.every((key) => keys.includes(key))
  )
}

/** An object without fields, like an empty list, does not filter. */
const matchesDocument = (text: string | null, wanted: JsonObject): boolean =>
  Object.keys(wanted).length === 0 || (text !== null && hasFields(JSON.parse(text), wanted))

/** Objects are compared field by field, at any depth; everything else as a whole. */
function hasFields(value: unknown, wanted: JsonObject): boolean {
  if (!isObject(value)) return false
  return Object.entries(wanted).every(([name, item]) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    return isObject(item) ? hasFields(own, item) : isDeepStrictEqual(own, item)
  })
}
