import type { Api, Query } from '../../api/api.ts'
import type { RunLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'

const pageSize = 100

/**
 * Loads matching runs, newest first.
 *
 * @param api - The API.
 * @param query - The filters.
 * @param most - The maximum number of runs.
 */
export async function readRuns(api: Api, query: Query, most: number): Promise<readonly RunLine[]> {
  const runs: RunLine[] = []
  let after: string | null | undefined
  do {
    const limit = Math.min(pageSize, most - runs.length)
    const page: CursorPage<RunLine> = await api.read('/v1/studio/runs', {
      query: { ...query, after: after ?? undefined, limit },
    })
    runs.push(...page.data)
    after = page.next
  } while (after !== null && runs.length < most)
  return runs
}
