import { useCallback, useEffect, useState } from 'react'
import type { Query } from '../../api/api.ts'
import type { RunLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import type { AddressState } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import type { RunQuery } from './run-query.ts'

const pageSize = 25
const path = '/v1/studio/runs'

/** A page of runs that does not shift while new runs arrive. */
export interface StillRuns {
  readonly runs: ReturnType<typeof useRead<CursorPage<RunLine>>>
  /** The filters of the list, without the time limit that excludes new runs. */
  readonly query: Query
  /** The number of new runs. */
  readonly newCount: number
  /** Shows the new runs. */
  showNew(): void
}

/**
 * Loads a page of runs. Runs created after the filters were selected are only counted, so that rows do not shift under
 * the pointer. An empty list and the list of one transaction show new runs immediately.
 *
 * @param address - The query in the page's URL.
 * @param query - The parsed filters.
 */
export function useStillRuns(address: AddressState, { query, key }: RunQuery): StillRuns {
  const [held, hold] = useState({ key, sinceMs: Date.now() })
  if (held.key !== key) hold({ key, sinceMs: Date.now() })
  const isHeld = query['transactionId'] === undefined && query['createdBefore'] === undefined && address.isFirst
  const createdBefore = isHeld ? new Date(held.sinceMs).toISOString() : query['createdBefore']
  const listed = { ...query, createdBefore }
  const runs = useRead<CursorPage<RunLine>>(path, {
    query: { ...listed, ...address.cursor, limit: pageSize },
    keep: true,
  })
  const createdAfter = new Date(held.sinceMs + 1).toISOString()
  const later = useRead<CursorPage<RunLine>>(path, { query: { ...query, createdAfter, limit: 1 }, enabled: isHeld })
  const newCount = (isHeld && later.data?.totalCount) || 0
  const isEmpty = runs.data?.data.length === 0 && !runs.isPlaceholderData
  // The service's clock may be ahead of the browser's.
  const newestMs = Date.parse(later.data?.data[0]?.createdAt ?? '') || 0
  const showNew = useCallback(() => hold({ key, sinceMs: Math.max(Date.now(), newestMs) }), [key, newestMs])
  useEffect(() => {
    if (isEmpty && newCount > 0) showNew()
  }, [isEmpty, newCount, showNew])
  return { runs, query: listed, newCount, showNew }
}
