import * as library from 'liquidjs'
import { expect, test } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { createLiquid } from './create-liquid.ts'
import { findTranslations } from './find-translations.ts'

const liquid = createLiquid(library)

/** Counts the lines from the start of the text, as the library does. */
function positionOf({ input, begin }: { readonly input: string; readonly begin: number }): readonly number[] {
  const lines = input.slice(0, begin).split('\n')
  return [lines.length, (lines.at(-1) ?? '').length + 1]
}

test('finds the position of each token, also alternating between templates', () => {
  const texts = ['{{ a }}', 'x\n{{ a }}\n\n{{ b }}\r\n {{ c }}', '\n\n{% if a %}\n{% endif %}\n', '{{ a }}\n{{ b }}']
  const tokens = texts.map((text) => liquid.parse(text).map(({ token }) => token))
  for (let index = 0; index < 6; index++)
    for (const token of tokens.flatMap((each) => each[index] ?? [])) {
      expect(token.getPosition()).toEqual(positionOf(token))
      expect(token.getPosition()).toEqual(positionOf(token))
    }
})

test('finds the places of translations', () => {
  const text = '\n{{ t.a == 1 }}\n\n {% if t.b %}\r\n{{ t.c }}{% endif %}{% if t.d %}x{% endif %}'
  const { outputs, others } = findTranslations({ text, nodes: liquid.parse(text) }, { liquid, library })
  expect([...outputs.values()]).toEqual([['c']])
  expect(others).toEqual([
    { row: 2, col: 4 },
    { row: 4, col: 8 },
    { row: 5, col: 27 },
  ])
})

test.each(['{{t.a}}', '\n{{t.a}}'])('analyzes a long template in linear time: %j', (output) => {
  const text = output.repeat(30_000)
  const nodes = liquid.parse(text)
  const started = processorMs()
  expect(findTranslations({ text, nodes }, { liquid, library }).outputs.size).toBe(30_000)
  expect(processorMs() - started).toBeLessThan(1500)
})
