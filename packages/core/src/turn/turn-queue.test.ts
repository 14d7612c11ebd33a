import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTurnQueue } from './turn-queue.ts'

const wide = { running: 100, waiting: 1000, waitingOfOne: 100, waitingBytes: 1e6 }
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('keeps the order of each conversation, respects the concurrency limit, and loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 })), { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (works, running) => {
        const queue = createTurnQueue({ ...wide, running })
        const order = new Map<number, number[]>()
        const active = new Set<number>()
        const all = works.map(([conversation, ticks], index) =>
          queue.add(String(conversation), 1, async () => {
            expect(active.has(conversation)).toBe(false)
            active.add(conversation)
            expect(active.size).toBeLessThanOrEqual(running)
            order.set(conversation, [...(order.get(conversation) ?? []), index])
            for (let turn = 0; turn < ticks; turn++) await tick()
            active.delete(conversation)
          }),
        )
        expect(all).not.toContain(undefined)
        await Promise.all(all)
        for (const [conversation, done] of order)
          expect(done).toEqual(works.flatMap(([of], index) => (of === conversation ? [index] : [])))
        expect([...order.values()].flat()).toHaveLength(works.length)
      },
    ),
    { numRuns: 100 },
  )
})

test.each<[string, object, readonly (readonly [string, number])[], number]>([
  [
    'too much waits',
    { running: 1, waiting: 2 },
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ],
    3,
  ],
  [
    'too much of one conversation waits',
    { waitingOfOne: 1 },
    [
      ['a', 1],
      ['a', 1],
      ['a', 1],
      ['b', 1],
    ],
    2,
  ],
  [
    'too many bytes wait',
    { running: 1, waitingBytes: 10 },
    [
      ['a', 99],
      ['b', 8],
      ['c', 3],
      ['d', 2],
    ],
    2,
  ],
])('rejects work if %s', async (_what, limits, works, refused) => {
  const queue = createTurnQueue({ ...wide, ...limits })
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const taken = works.map(([conversation, bytes]) => queue.add(conversation, bytes, () => gate))
  expect(taken.indexOf(undefined)).toBe(refused)
  expect(taken.filter((work) => work === undefined)).toHaveLength(1)
  release()
  await Promise.all(taken)
  expect(queue.add('a', 1, async () => undefined)).toBeInstanceOf(Promise)
})
