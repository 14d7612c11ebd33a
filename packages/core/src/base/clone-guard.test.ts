import { afterEach, expect, test } from 'vitest'
import { guardClones, madeUp } from './clone-guard.ts'

const own = globalThis.structuredClone
afterEach(() => {
  globalThis.structuredClone = own
})

test('guarded structuredClone keeps sample data, and copies or rejects all other values like the original', () => {
  const proxy = Object.assign(() => 1, { [madeUp]: {} })
  const holder = { all: [proxy], at: new Date(0), map: new Map([[1, 2]]) }
  const [first, second] = [guardClones(), guardClones()]
  const copy = structuredClone(holder)
  expect(structuredClone(proxy)).toBe(proxy)
  expect(copy.all[0]).toBe(proxy)
  expect([copy.at, copy.map]).toEqual([holder.at, holder.map])
  expect(copy.map).not.toBe(holder.map)
  const cyclic: { self?: unknown; call(): void } = { call: () => undefined }
  cyclic.self = cyclic
  expect(() => structuredClone(cyclic)).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
  first()
  first()
  expect(structuredClone(proxy)).toBe(proxy)
  second()
  expect(structuredClone).toBe(own)
  expect(() => structuredClone(proxy)).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
})

test('a structuredClone replaced by the app stays in place', () => {
  const end = guardClones()
  const other: typeof structuredClone = (value) => value
  globalThis.structuredClone = other
  end()
  expect(structuredClone).toBe(other)
})
