import { expect, test } from 'vitest'
import type { Api } from '../../api/api.ts'
import { readRuns } from './read-runs.ts'

test.each([
  [250, [100, 100, 50]],
  [400, [100, 100, 100]],
])('reads pages up to %i runs, and no more', async (most, expected) => {
  const limits: unknown[] = []
  const pages = { undefined: 'a', a: 'b', b: null } as const
  const read = async (_path: string, { query }: { readonly query: { readonly after?: 'a' | 'b'; limit: number } }) => {
    limits.push(query.limit)
    const data = Array.from({ length: query.limit }, (_, index) => ({ _id: `${query.after} ${index}` }))
    return { data, next: pages[query.after ?? 'undefined'], previous: null }
  }
  const runs = await readRuns({ read } as unknown as Api, {}, most)
  expect(limits).toEqual(expected)
  expect(new Set(runs.map(({ _id }) => _id)).size).toBe(Math.min(most, 300))
})
