import { expect, test } from 'vitest'
import { UnreachableStoreError } from '../store/faults/is-overload.ts'
import { type BatchOptions, createBatches } from './batches.ts'

/** Creates batches that complete when `next` is called. */
function createSteps(options: Partial<BatchOptions<string, string>> = {}) {
  const batches: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const ask = createBatches<string, string>({
    maxWeight: 3,
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

test('batches requests from one turn and requests made while a batch runs, in order, up to the maximum', async () => {
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

test('runs the requests of a failed batch one by one', async () => {
  const { batches, ask, next } = createSteps()
  const answers = Promise.allSettled(['a', 'bad', 'b'].map(ask))
  for (let count = 0; count < 4; count++) await next()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
})

test('does not retry requests if the database is unavailable', async () => {
  const { batches, ask, next } = createSteps()
  const answers = Promise.allSettled(['a', 'lost', 'b', 'c'].map(ask))
  for (let count = 0; count < 4; count++) await next()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['a', 'lost', 'b'], ['c']])
})

test('limits the number of concurrent batches', async () => {
  const { batches, ask, next } = createSteps({ maxWeight: 1, concurrency: 2 })
  const answers = Promise.all(['a', 'b', 'c'].map(ask))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  expect(batches).toEqual([['a'], ['b']])
  for (let count = 0; count < 3; count++) await next()
  expect(await answers).toEqual(['A', 'B', 'C'])
})

test('processes low-priority requests after later normal ones', async () => {
  const { batches, ask, next } = createSteps({ maxWeight: 2, isLowPriority: (request) => request.startsWith('later') })
  const answers = Promise.all(['later 1', 'later 2', 'a', 'later 3', 'b'].map(ask))
  for (let count = 0; count < 3; count++) await next()
  await answers
  expect(batches).toEqual([['a', 'b'], ['later 1', 'later 2'], ['later 3']])
})

test('processes a low-priority request after eight batches of other requests', async () => {
  const { batches, ask, next } = createSteps({ maxWeight: 2, isLowPriority: (request) => request.startsWith('later') })
  // There are always more non-bulk requests than a batch takes.
  const answers: Promise<unknown>[] = ['later 1', 'later 2', 'x', 'y', 'z'].map(ask)
  for (let count = 0; count < 20; count++) {
    answers.push(...['a', 'b', 'c'].map((name) => ask(`${name}${count}`)))
    await next()
  }
  const batchIndexes = batches.flatMap((batch, index) => (batch.some((one) => one.startsWith('later')) ? [index] : []))
  expect(batchIndexes).toEqual([8, 17])
  expect(batches[8]?.[0]).toBe('later 1')
  while (batches.flat().length < answers.length) await next()
  await next()
  await Promise.all(answers)
})
