import { expect, test } from 'vitest'
import { createLanes, type LaneOptions } from './lanes.ts'
import type { Priority } from './queue.ts'

/** Enters lanes, and records which callers were admitted. */
function createDoor(limits: Pick<LaneOptions, 'perLane' | 'total'> & Partial<LaneOptions>) {
  const clock = { nowMs: 0 }
  const lanes = createLanes({
    perEnvironment: limits.total,
    bulkBesideOthers: limits.total,
    ...limits,
    nowMs: () => clock.nowMs,
  })
  const inside: { readonly name: string; readonly priority: Priority | undefined; readonly leave: () => void }[] = []
  const sentAway: string[] = []
  const enter = (name: string, priority?: Priority): void => {
    const place = priority ? `${name} ${priority}` : name
    void lanes
      .enter(name, priority)
      .then((leave) => (leave ? inside.push({ name, priority, leave }) : sentAway.push(place)))
  }
  const names = async (): Promise<string> => {
    await new Promise((resolve) => setImmediate(resolve))
    return inside.map(({ name }) => name).join('')
  }
  return { clock, lanes, inside, sentAway, enter, names }
}

test('a full lane does not delay another lane', async () => {
  const { enter, names, inside } = createDoor({ perLane: 2, total: 10 })
  for (const name of 'aaaaab') enter(name)
  expect(await names()).toBe('aab')
  inside[0]?.leave()
  expect(await names()).toBe('aaba')
})

test('work in progress is admitted before the broadcast of its own workflow, which is rejected first', async () => {
  const { clock, lanes, inside, enter, sentAway, names } = createDoor({ perLane: 1, total: 10 })
  for (let count = 0; count < 101; count++) enter('a', 'bulk')
  clock.nowMs = 5001
  enter('a', 'fresh')
  enter('a', 'ongoing')
  lanes.shedLoad()
  await names()
  expect(sentAway).toEqual(Array(100 + 2 - 64).fill('a bulk'))
  for (let left = 0; left < 3; left++) {
    inside[left]?.leave()
    await names()
  }
  expect(inside.map(({ priority }) => priority)).toEqual(['bulk', 'ongoing', 'fresh', 'bulk'])
})

test('lanes take turns if there is not enough capacity for all', async () => {
  const { enter, names, inside } = createDoor({ perLane: 10, total: 1 })
  for (const name of 'aaabbc') enter(name)
  for (let left = 0; left < 5; left++) {
    await names()
    inside[left]?.leave()
  }
  expect(await names()).toBe('aabcab')
})

test('a slow lane keeps a few callers waiting and rejects the others, and a fast lane rejects none', async () => {
  const { clock, lanes, enter, names, sentAway } = createDoor({ perLane: 1, total: 10 })
  for (let count = 0; count < 100; count++) enter('a')
  clock.nowMs = 5000
  lanes.shedLoad()
  enter('a')
  expect([await names(), sentAway.length]).toEqual(['a', 0])
  clock.nowMs = 5001
  for (let count = 0; count < 70; count++) enter('b')
  lanes.shedLoad()
  expect([await names(), sentAway.length]).toEqual(['ab', 100 - 64])
  enter('a')
  enter('b')
  await names()
  expect(sentAway.slice(36)).toEqual(['a'])
})

test('a slow lane rejects work even if the time was set back', async () => {
  const { clock, lanes, enter, names, sentAway } = createDoor({ perLane: 1, total: 10 })
  for (let count = 0; count < 70; count++) enter('a')
  clock.nowMs = -3_600_000
  lanes.shedLoad()
  await names()
  expect(sentAway).toHaveLength(70 - 1 - 64)
})

test('closed lanes reject both waiting and new callers', async () => {
  const { enter, names, inside, sentAway, lanes } = createDoor({ perLane: 1, total: 10 })
  for (const name of 'aaab') enter(name)
  expect(await names()).toBe('ab')
  lanes.close()
  for (const name of 'ac') enter(name)
  for (const { leave } of inside) leave()
  expect(await names()).toBe('ab')
  expect(sentAway.toSorted().join('')).toBe('aaac')
  expect(lanes.isClosed()).toBe(true)
})

test('the lanes of one environment leave capacity for those of another', async () => {
  const { enter, names, inside } = createDoor({ perLane: 2, total: 10, perEnvironment: 3 })
  for (const name of ['a/x', 'a/x', 'a/y', 'a/y', 'a/z', 'b/x']) enter(name)
  expect(await names()).toBe('a/xa/xa/yb/x')
  inside.find(({ name }) => name === 'b/x')?.leave()
  expect(await names()).toBe('a/xa/xa/yb/x')
  inside[0]?.leave()
  expect(await names()).toBe('a/xa/xa/yb/xa/y')
})

test('little bulk work starts while there is other work, and all of it afterwards', async () => {
  const { clock, lanes, enter, names, inside } = createDoor({ perLane: 5, total: 20, bulkBesideOthers: 2 })
  for (const name of 'aaaaaabbbbbb') enter(name, 'bulk')
  expect(await names()).toBe('aaaaabbbbb')
  lanes.note('ongoing')
  for (const { leave } of inside.slice(0, 8)) leave()
  enter('c')
  expect(await names()).toBe('aaaaabbbbbc')
  inside[8]?.leave()
  expect(await names()).toBe('aaaaabbbbbca')
  clock.nowMs = 50
  inside[9]?.leave()
  expect(await names()).toBe('aaaaabbbbbcab')
})

test('bulk work does not yield to bulk work', async () => {
  const { lanes, enter, names } = createDoor({ perLane: 5, total: 20, bulkBesideOthers: 1 })
  lanes.note('bulk')
  for (const name of 'aab') enter(name, 'bulk')
  expect(await names()).toBe('aab')
})

test('bulk work that waits for a slow bridge does not count', async () => {
  const { clock, lanes, enter, names } = createDoor({ perLane: 5, total: 20, bulkBesideOthers: 1 })
  lanes.note('fresh')
  for (const name of 'aaa') enter(name, 'bulk')
  expect(await names()).toBe('a')
  clock.nowMs = 100
  lanes.note('fresh')
  while ((await names()) === 'a') await new Promise((resolve) => setTimeout(resolve, 10))
  expect(await names()).toBe('aa')
})
