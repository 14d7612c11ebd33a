import { expect, test } from 'vitest'
import { UnreachableStoreError } from '../store/faults/is-overload.ts'
import { type BatchOptions, createBatches } from './batches.ts'

/** Batches that end when they are told to. */
function createSteps(options: Partial<BatchOptions<string, string>> = {}) {
  const batches: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const ask = createBatches<string, string>({
    most: 3,
    ...options,
    async run(requests) {
      batches.push(requests)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (requests.includes('bad')) throw new Error('bad')
      if (requests.includes('lost')) throw new UnreachableStoreError(new Error('Connection terminated unexpectedly'))
      return requests.map((request) => request.toUpperCase())
    },
  })
  const next = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    ends.shift()?.()
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  }
  return { batches, ask, next }
}

test('what comes in one turn, or while a batch runs, is answered together, in order, so many at most', async () => {
  const { batches, ask, next } = createSteps()
  const first = Promise.all([ask('a'), ask('b')])
  await next()
  expect(await first).toEqual(['A', 'B'])
  const running = ask('c')
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  const later = Promise.all(['d', 'e', 'f', 'g'].map(ask))
  for (let count = 0; count < 3; count++) await next()
  expect([await running, await later]).toEqual(['C', ['D', 'E', 'F', 'G']])
  expect(batches).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f'], ['g']])
})

test('one that fails does not fail the others', async () => {
  const { batches, ask, next } = createSteps()
  const answers = Promise.allSettled(['a', 'bad', 'b'].map(ask))
  for (let count = 0; count < 4; count++) await next()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
})

test('runs no request again when the database is away: the batch may have been stored', async () => {
  const { batches, ask, next } = createSteps()
  const answers = Promise.allSettled(['a', 'lost', 'b', 'c'].map(ask))
  for (let count = 0; count < 4; count++) await next()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['a', 'lost', 'b'], ['c']])
})

test('no more batches run at a time than may', async () => {
  const { batches, ask, next } = createSteps({ most: 1, atOnce: 2 })
  const answers = Promise.all(['a', 'b', 'c'].map(ask))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  expect(batches).toEqual([['a'], ['b']])
  for (let count = 0; count < 3; count++) await next()
  expect(await answers).toEqual(['A', 'B', 'C'])
})

test('what can wait is answered after what came later', async () => {
  const { batches, ask, next } = createSteps({ most: 2, isLater: (request) => request.startsWith('later') })
  const answers = Promise.all(['later 1', 'later 2', 'a', 'later 3', 'b'].map(ask))
  for (let count = 0; count < 3; count++) await next()
  await answers
  expect(batches).toEqual([['a', 'b'], ['later 1', 'later 2'], ['later 3']])
})
