import { isObject, type JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { jsonObject, queryFlag, queryList, queryNumber, queryText, text } from '../../api/input.ts'
import { queryChoices, queryCursor } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { countMessages, listInboxRows } from '../../messages/list-messages.ts'
import { wakeMessages } from '../../messages/mark-messages.ts'
import type { MessageFilter } from '../../messages/message-filter.ts'
import { severities } from '../../messages/severities.ts'
import { inboxCount, inboxPage } from '../../resources/activity/inbox.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { parseDataFilter } from './feed-query.ts'
import { checkSizeFor, showInboxItems } from './inbox-items.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/subscribers/{subscriberId}/notifications'
const maxFilters = 30

const filterFields = z.strictObject({
  read: z.boolean().optional(),
  seen: z.boolean().optional(),
  archived: z.boolean().optional(),
  snoozed: z.boolean().optional(),
  tags: z.array(text(255)).max(100).optional(),
  data: z.union([text(10_000), jsonObject()]).optional(),
  severity: z.union([z.enum(severities), z.array(z.enum(severities)).max(4)]).optional(),
  contextKeys: z.array(text(500)).max(50).optional(),
})

/** Operations (v2) that read a subscriber's inbox. */
export const inboxOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'inbox.list',
    access: 'view',
    method: 'GET',
    path,
    summary: "Lists a subscriber's in-app messages, newest first",
    query: z.strictObject({
      limit: queryNumber({ fallback: 10, min: 1, max: 100 }).describe('Messages per page.'),
      after: queryCursor().describe('Returns messages after the message with this id.'),
      offset: queryNumber({ fallback: 0, max: 1_000_000 }).describe('The number of messages to skip.'),
      read: queryFlag().describe('Only read or only unread messages.'),
      archived: queryFlag().describe('Only archived or only unarchived messages.'),
      snoozed: queryFlag().describe('Only snoozed or only unsnoozed messages.'),
      seen: queryFlag().describe('Only seen or only unseen messages.'),
      data: queryText(10_000),
      tags: queryList(),
      severity: queryChoices(severities).describe('Only messages of these severities.'),
      createdGte: queryNumber({ fallback: 0, max: Number.MAX_SAFE_INTEGER })
        .optional()
        .describe('The earliest creation time, in milliseconds since 1970.'),
      createdLte: queryNumber({ fallback: Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
        .optional()
        .describe('The latest creation time, in milliseconds since 1970.'),
      contextKeys: queryList(),
    }),
    output: inboxPage,
    handler: (context, { params, query }) =>
      context.store.repeatable(async (tx) => {
        const subscriber = await findSubscriber(tx, context, params['subscriberId'])
        const filter: MessageFilter = {
          ...toOwner(subscriber),
          read: query.read,
          seen: query.seen,
          archived: query.archived,
          snoozed: query.snoozed,
          data: parseDataFilter('data', query.data),
          tags: query.tags,
          severities: query.severity,
          createdFromMs: query.createdGte,
          createdToMs: query.createdLte,
          contextKeys: query.contextKeys,
          afterId: query.after,
        }
        await wakeMessages(tx, filter, context.clock.now())
        const { offset, limit } = query
        const page = { offset, limit, check: checkSizeFor('inbox', tx) }
        const { rows, hasMore } = await listInboxRows(tx, filter, page)
        const { limit: _limit, offset: _offset, after: _after, ...asked } = query
        return { data: await showInboxItems(tx, subscriber, rows), hasMore, filter: asked }
      }),
  }),
  operation({
    ...common,
    name: 'inbox.count',
    access: 'view',
    method: 'GET',
    path: `${path}/count`,
    summary: "Counts a subscriber's in-app messages by one or more filters",
    query: z.strictObject({ filters: queryText(20_000) }),
    output: z.array(inboxCount),
    handler: (context, { params, query }) =>
      context.store.repeatable(async (tx) => {
        const filters = parseFilters(query.filters)
        const owner = toOwner(await findSubscriber(tx, context, params['subscriberId']))
        await wakeMessages(tx, owner, context.clock.now())
        const counted: JsonObject[] = []
        for (const { requestedFilter, filter } of filters)
          counted.push({ count: await countMessages(tx, { ...owner, ...filter }), filter: requestedFilter })
        return counted
      }),
  }),
])

/** Returns the owner part of a message filter. */
export function toOwner(subscriber: SubscriberRow): Pick<MessageFilter, 'environmentId' | 'subscriberId'> {
  return { environmentId: subscriber.environmentId, subscriberId: subscriber.id }
}

interface AskedFilter {
  readonly requestedFilter: JsonObject
  readonly filter: Omit<MessageFilter, 'environmentId' | 'subscriberId'>
}

function parseFilters(source: string | undefined): readonly AskedFilter[] {
  if (source === undefined) return [{ requestedFilter: {}, filter: {} }]
  const list: unknown = parseJson(source)
  if (!Array.isArray(list) || list.length > maxFilters)
    throw invalid('filters', `must be a JSON list of at most ${maxFilters} objects`)
  return list.map((value, index) => {
    const result = filterFields.safeParse(value)
    const [issue] = result.error?.issues ?? []
    if (!result.success)
      throw invalid(['filters', index, ...(issue?.path ?? [])].map(String).join('.'), issue?.message ?? 'is invalid')
    const { severity, data, ...rest } = result.data
    const fields = isObject(data) ? data : parseDataFilter(`filters.${index}.data`, data)
    const filter = { ...rest, data: fields, severities: severity === undefined ? undefined : [severity].flat() }
    return { requestedFilter: result.data, filter }
  })
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw invalid('filters', 'must be JSON')
  }
}
