import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { markBraces, markDataBraces, output, unmarkBraces } from './data-braces.ts'

/** Replaces every output that is still a template. */
const read = (text: string): string => unmarkBraces(text.replaceAll(output, '#'))

describe('braces in data', () => {
  test.each([
    ['Hi {{ t.a }}', '{{ t.b }}'],
    ['Hi {{ t.a }}{{ t.b }}', 'no {{ t.b }} here'],
    ['{{ t.b }}{{ t.b }}', '{{ t.b }}'],
    ['{{{ t.b }}}', '{{{ t.b }}}'],
    ['{{ t.b }} {{ t.c | upcase }}', ['{{ t.b }}', { deep: ['{{ t.c | upcase }}'] }]],
    ['{{ t.b }}', ['{{ t.', 'b }}']],
    ['{{ t.b }}', ['{{', ' t.b }}']],
    ['{{ t.b }}', ['a{', '{ t.b }}']],
    ['{{ t.b | default: &quot;x&quot; }}', '{{ t.b | default: "x" }}'],
    ['{{ t.b | default: &#34;x&#34; }}', '{{ t.b | default: "x" }}'],
    ['{{ t.internal }}', ['{{ t.', 'inter', 'nal }}']],
    ['{{ t.b }}', ['{{ t.b }', '}']],
    ['{{ t.b }}', ['{{ ', 't.b', '}}']],
    ['{{ t.b}}}', ['{{ t.b']],
    [`{{ t.${'b'.repeat(1000)} }}`, 'look: {{'],
  ])('of %j from %j are not rendered as a template', (text, data) => {
    const marked = markDataBraces(text, data)
    const left = text.replace('{{ t.a }}', '#')
    expect(read(marked)).toBe(left)
    expect(unmarkBraces(marked)).toBe(text)
  })

  test.each([['{{ t.a }}'], ['{{{ t.a }}}'], ['a {{ t.a }} b {c} {'], ['{{ t.a }}{{ t.b }}']])(
    'leave %j unchanged',
    (text) => {
      for (const data of [
        ...['', '{', '{ "a": { "b": 1 } }', 'look: {{', ['{{ t.other }}'], { '{{ t.a }}': 1 }],
        ...[
          ['{{', 'c }}'],
          ['{{ x', '}'],
          ['{{ t.other', 'a }}'],
        ],
      ]) {
        const marked = markDataBraces(text, data)
        expect(read(marked)).toBe(read(text))
        expect(unmarkBraces(marked)).toBe(text)
      }
    },
  )

  test('are found in processor time that does not grow with the square of the text', () => {
    const value = [`{{ t.${'a'.repeat(900)} }}`.repeat(10_000), `{{ t.${'b'.repeat(9_000_000)} }}`]
    const starts = Array.from({ length: 100 }, (_, length) => `{{ t.${'a'.repeat(8 * length)}`)
    for (const data of [
      ['{{ t.a'],
      starts,
      starts.map((start) => `${start}}`),
      ['{{', ...starts.map((start) => `${start.slice(5)}}`)],
    ]) {
      const startedMs = processorMs()
      markDataBraces(value, data)
      expect(processorMs() - startedMs).toBeLessThan(3_000)
    }
  })

  test('before an output tag do not become part of it', () => {
    const text = '{{{ t.a }}'
    const marked = markBraces(text, (_source, at) => at === 1)
    expect([read(marked), unmarkBraces(marked)]).toEqual(['{#', text])
  })
})
