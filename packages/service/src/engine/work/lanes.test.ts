import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'

/** Enters lanes, and records which callers were admitted. */
function createDoor(limits: { readonly perLane: number; readonly total: number; readonly perEnvironment?: number }) {
  const clock = { nowMs: 0 }
  const lanes = createLanes({ perEnvironment: limits.total, ...limits, nowMs: () => clock.nowMs })
  const inside: { readonly name: string; readonly leave: () => void }[] = []
  const sentAway: string[] = []
  const enter = (name: string): void => {
    void lanes.enter(name).then((leave) => (leave ? inside.push({ name, leave }) : sentAway.push(name)))
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
  inside[0]?.leave()
  expect(await names()).toBe('aaba')
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
