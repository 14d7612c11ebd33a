import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanTokens } from './scan-tokens.ts'

test('names are whole in every script', () => {
  const start = fc.constantFrom('a', 'Z', '_', '$', '#', 'ö', 'ß', '中', '𝒳')
  const rest = fc.array(fc.constantFrom('b', '9', '_', '$', 'é', '語', '𝒴', '\u200d'), { maxLength: 5 })
  const word = fc.tuple(start, rest).map(([first, others]) => [first, ...others].join(''))
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(' ', '=', '—', '\n'), (words, between) => {
      const names = scanTokens(words.join(between)).filter(({ type }) => type === 'name')
      expect(names.map(({ value }) => value)).toEqual(words)
    }),
  )
})
