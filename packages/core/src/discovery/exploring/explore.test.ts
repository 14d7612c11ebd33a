import { expect, test } from 'vitest'
import type { RecordedRun } from '../recording/recorded-run.ts'
import { chooseOf } from '../samples/variation/choose-value.ts'
import type { PlaceRead, Variation } from '../samples/variation/variation.ts'
import { explore } from './explore.ts'

/** A run of a function that reads so many places of two values. */
function runOf(places: number, awaitedIo: boolean) {
  return async (variation: Variation): Promise<RecordedRun> => {
    const reads = Array.from({ length: places }, (_, index): [string, PlaceRead] => {
      const path = `payload/f${index}`
      const chosen = chooseOf(variation, path, { count: 2 })
      return [path, { count: 2, literals: [], isAside: false, isList: false, chosen, times: 1 }]
    })
    return { calls: [], end: 'normal', awaitedIo, reads: new Map(reads) } as unknown as RecordedRun
  }
}

const isDiagonal = ({ variation }: { readonly variation: Variation }): boolean => variation.changes.size > 3

test('runs that change everything at once leave as many others as there are without them', async () => {
  const { runs, runsLeft, cut } = await explore({ record: runOf(50, false), waitMs: 1000 })
  expect(runs.filter(isDiagonal).length).toBeGreaterThan(0)
  // Two bases, from each of them every place once, and some pairs.
  expect(runs.filter((run) => !isDiagonal(run))).toHaveLength(102 + 24)
  expect([runsLeft, cut]).toEqual([128 - 102 - 24, false])
})

test('where each run may have an effect, all of them count', async () => {
  const { runs, runsLeft, cut } = await explore({ record: runOf(50, true), waitMs: 1000 })
  expect([runs.length, runsLeft, cut]).toEqual([4, 0, true])
})

test('where a step is known to be missing there are four times as many', async () => {
  const countOf = async (isMissing: boolean): Promise<number> => {
    const { runs } = await explore({ record: runOf(300, false), waitMs: 1000, isMissing: () => isMissing })
    return runs.filter((run) => !isDiagonal(run)).length
  }
  expect([await countOf(false), await countOf(true)]).toEqual([128, 512])
})

test('and no more when it was found', async () => {
  let asked = 0
  const { runs, runsLeft } = await explore({ record: runOf(300, false), waitMs: 1000, isMissing: () => ++asked < 3 })
  expect(runs.filter((run) => !isDiagonal(run)).length).toBe(128 + 2 * 8)
  expect(runsLeft).toBe(0)
})

test('where a step is missing all pairs of places are tried', async () => {
  const countOf = async (isMissing: boolean): Promise<number> => {
    const { runs } = await explore({ record: runOf(12, false), waitMs: 1000, isMissing: () => isMissing })
    return runs.filter(({ variation }) => variation.changes.size === 2).length
  }
  const pairs = 2 * ((12 * 11) / 2)
  expect([await countOf(false), await countOf(true)]).toEqual([24, pairs])
})
