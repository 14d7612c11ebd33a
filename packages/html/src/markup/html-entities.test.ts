import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntities, placesInSource } from './html-entities.ts'

test('maps positions in the decoded value to the source', () => {
  expect(placesInSource('a&amp;b&#x41;c', [0, 1, 2, 3, 4, 5])).toEqual([0, 1, 6, 7, 13, 14])
})

test('a position in decoded text maps to the end of the source that precedes it', () => {
  const bit = fc.constantFrom('a', 'b;', '&quot;', '&#59;', '&#x3a;', '&colon;', '&nope;', '& ', '&#128512;', '\u00e9')
  fc.assert(
    fc.property(fc.array(bit, { maxLength: 12 }), (bits) => {
      const decoded = bits.map(decodeEntities)
      const ends = decoded.map((_one, index) => decoded.slice(0, index).join('').length)
      const sources = bits.map((_one, index) => bits.slice(0, index).join('').length)
      expect(placesInSource(bits.join(''), ends)).toEqual(sources)
    }),
  )
})
