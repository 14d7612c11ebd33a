import { useMemo } from 'react'
import type { Query } from '../../api/api.ts'
import { ownEntry } from '../../base/own-entry.ts'
import type { AddressState } from '../../session/address.ts'

/** The run filters in the URL. */
export const filterNames: readonly string[] = [
  ...['search', 'status', 'workflowId', 'channel', 'range', 'from', 'to'],
  ...['subscriberId', 'transactionId', 'topicKey', 'errorCode'],
]

/** The rarely used filters, by their names in the URL. */
export const moreFilters = { topicKey: 'Topic', errorCode: 'Error code' } as const
/** The name of a rarely used filter in the URL. */
export type MoreFilterName = keyof typeof moreFilters

const minuteMs = 60_000
/** Periods that end now, by their names in the URL. */
export const ranges: Readonly<Record<string, { readonly text: string; readonly ms: number }>> = {
  '15m': { text: 'Last 15 minutes', ms: 15 * minuteMs },
  '1h': { text: 'Last hour', ms: 60 * minuteMs },
  '24h': { text: 'Last 24 hours', ms: 24 * 60 * minuteMs },
  '7d': { text: 'Last 7 days', ms: 7 * 24 * 60 * minuteMs },
}

/** The URL's filters as API parameters. */
export interface RunQuery {
  /** The list's parameters, without its cursor. */
  readonly query: Query
  /** Identifies the filters: changes whenever they change. */
  readonly key: string
  /** Whether any filter is set. */
  readonly isFiltered: boolean
}

/** Parses the filters in the URL. A period starts when it is selected, so that the list does not shift. */
export function useRunQuery(address: AddressState): RunQuery {
  const key = JSON.stringify(filterNames.map((name) => address.getAll(name)))
  return useMemo(() => {
    const chosen = JSON.parse(key) as readonly (readonly string[])[]
    const values = new Map(filterNames.map((name, index) => [name, chosen[index] ?? []]))
    const one = (name: string): string | undefined => values.get(name)?.[0]
    const many = (name: string): readonly string[] | undefined =>
      values.get(name)?.length ? values.get(name) : undefined
    const range = ownEntry(ranges, one('range') ?? '')
    const query = {
      ...Object.fromEntries(
        ['search', 'subscriberId', 'transactionId', 'topicKey', 'errorCode'].map((name) => [name, one(name)]),
      ),
      ...Object.fromEntries(['status', 'workflowId', 'channel'].map((name) => [name, many(name)])),
      createdAfter: range ? new Date(Date.now() - range.ms).toISOString() : toIso(one('from')),
      createdBefore: range ? undefined : toIso(one('to')),
    }
    return { query, key, isFiltered: chosen.some(({ length }) => length > 0) }
  }, [key])
}

/** A URL can contain arbitrary values. A time in an input has no time zone, so the browser's is used. */
function toIso(text: string | undefined): string | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
