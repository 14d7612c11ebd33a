import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { createBodyBuffer } from './body-buffer.ts'

test('contains the bytes of all chunks, or none beyond a limit', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 40 })
  fc.assert(
    fc.property(chunks, fc.integer({ min: 0, max: 600 }), (parts, maxBytes) => {
      const buffer = createBodyBuffer(maxBytes)
      const limits = parts.map((part) => buffer.add(Uint8Array.from(part)))
      const all = parts.flatMap((part) => [...part])
      const isOver = all.length > maxBytes
      expect(limits.at(-1)).toBe(isOver ? 'bytes' : undefined)
      expect([...buffer.toBytes()]).toEqual(isOver ? [] : all)
    }),
    { numRuns: draws(500, 20_000) },
  )
})

test('does not change the chunks', () => {
  const buffer = createBodyBuffer(100)
  const memory = new Uint8Array(10)
  buffer.add(memory.subarray(0, 4))
  buffer.add(Uint8Array.of(1, 2, 3))
  expect([...memory]).toEqual(Array.from({ length: 10 }, () => 0))
})

test.each([
  [0, 10_001],
  [1, 10_323],
  [31, 322_582],
])('accepts a limited number of chunks of %i bytes', (length, most) => {
  const buffer = createBodyBuffer(Number.MAX_SAFE_INTEGER)
  const chunk = new Uint8Array(length)
  let added = 0
  while (added < 1_000_000 && buffer.add(chunk) === undefined) added++
  expect(added).toBeLessThanOrEqual(most)
  expect(added).toBeGreaterThanOrEqual(10_000)
  expect([buffer.add(new Uint8Array(1000)), buffer.toBytes().length]).toEqual(['chunks', 0])
})

test('accepts any number of chunks of 32 bytes', () => {
  const buffer = createBodyBuffer(10 * 2 ** 20)
  const chunk = new Uint8Array(32)
  for (let size = 0; size < 10 * 2 ** 20; size += chunk.length) expect(buffer.add(chunk)).toBeUndefined()
  expect(buffer.add(chunk)).toBe('bytes')
})
