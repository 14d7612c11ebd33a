import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

async function* numbers(count: number, read: (item: number) => void = () => {}) {
  for (let item = 0; item < count; item++) {
    read(item)
    yield item
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test.each([0, 1, 7, 8, 9, 40])('yields the results of %i items in order, whichever is ready first', async (count) => {
  const slowFirst = async (item: number) => {
    for (let turn = item % 5; turn < 5; turn++) await setImmediate()
    return `result ${item}`
  }
  expect(await collect(mapInOrder(numbers(count), slowFirst))).toEqual(
    Array.from({ length: count }, (_, item) => `result ${item}`),
  )
})

test('works on eight items at a time, and reads no further', async () => {
  let [open, most, read] = [0, 0, 0]
  const work = async (item: number) => {
    most = Math.max(most, ++open)
    await setImmediate()
    open--
    return item
  }
  let received = 0
  for await (const item of mapInOrder(
    numbers(100, () => read++),
    work,
  )) {
    expect(item).toBe(received++)
    expect(read - received).toBeLessThan(8)
  }
  expect(most).toBe(8)
})

test('throws the first error in order, and leaves no rejection unhandled', async () => {
  const rejections: unknown[] = []
  const keep = (error: unknown) => rejections.push(error)
  process.on('unhandledRejection', keep)
  const work = async (item: number) => {
    if (item === 1) for (let turn = 0; turn < 5; turn++) await setImmediate()
    if (item > 0) throw new Error(`item ${item}`)
    return item
  }
  await expect(collect(mapInOrder(numbers(20), work))).rejects.toThrow('item 1')
  await setImmediate()
  process.off('unhandledRejection', keep)
  expect(rejections).toEqual([])
})
