import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSmsSegments } from './sms-segments.ts'

test.each<[string, string, string, number, number]>([
  ['nothing', '', 'GSM-7', 1, 0],
  ['as much as one holds', 'a'.repeat(160), 'GSM-7', 1, 160],
  ['one more', 'a'.repeat(161), 'GSM-7', 2, 161],
  ['two parts', 'a'.repeat(306), 'GSM-7', 2, 306],
  ['three parts', 'a'.repeat(307), 'GSM-7', 3, 307],
  ['characters of two septets', '€'.repeat(80), 'GSM-7', 1, 160],
  ['an escape is not cut from what it escapes', '€'.repeat(153), 'GSM-7', 3, 306],
  ['a letter with an accent of the alphabet', 'é'.repeat(160), 'GSM-7', 1, 160],
  ['one that is not', 'ê'.repeat(70), 'UCS-2', 1, 70],
  ['one more of those', 'ê'.repeat(71), 'UCS-2', 2, 71],
  ['a typographic quote', `${'a'.repeat(70)}’`, 'UCS-2', 2, 71],
  ['pictures', '😀'.repeat(35), 'UCS-2', 1, 70],
  ['a picture is not cut', '😀'.repeat(67), 'UCS-2', 3, 134],
])('%s', (_name, text, encoding, segments, units) => {
  expect(countSmsSegments(text)).toMatchObject({ encoding, segments, units })
})

test('lists each character outside the alphabet once', () => {
  expect(countSmsSegments('“a” – “b”').foreign).toEqual(['“', '”', '–'])
})

/** A slow reference implementation: fills segments with whole characters, one by one. */
function fill(characters: readonly (readonly [string, number])[], single: number, part: number): number {
  const units = characters.reduce((sum, [, size]) => sum + size, 0)
  if (units <= single) return 1
  const parts: number[] = [0]
  for (const [, size] of characters) {
    const last = parts.length - 1
    if ((parts[last] ?? 0) + size > part) parts.push(size)
    else parts[last] = (parts[last] ?? 0) + size
  }
  return parts.length
}

test('counts the same as filling segments one by one', () => {
  const gsm = fc.array(fc.constantFrom<[string, number]>(['a', 1], ['ß', 1], ['€', 2], ['{', 2], ['\n', 1]), {
    maxLength: 700,
  })
  fc.assert(
    fc.property(gsm, (characters) => {
      const counted = countSmsSegments(characters.map(([character]) => character).join(''))
      expect(counted).toMatchObject({ encoding: 'GSM-7', segments: fill(characters, 160, 153) })
      expect(counted.left).toBeGreaterThanOrEqual(0)
    }),
  )
  const any = fc.array(fc.constantFrom<[string, number]>(['a', 1], ['я', 1], ['€', 1], ['😀', 2]), { maxLength: 400 })
  fc.assert(
    fc.property(any, (characters) => {
      const text = `ж${characters.map(([character]) => character).join('')}`
      expect(countSmsSegments(text)).toMatchObject({
        encoding: 'UCS-2',
        segments: fill([['ж', 1], ...characters], 70, 67),
        units: text.length,
      })
    }),
  )
})
