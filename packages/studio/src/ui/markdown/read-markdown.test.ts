import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'
import { safeAddress } from './safe-address.ts'

const typesOf = (text: string): unknown => readMarkdown(text)?.map(({ type }) => type)

test('parses Markdown into parts', () => {
  expect(typesOf('# a\n\nb **c**\n\n- d\n\n```\ne\n```\n\n> f')).toEqual([
    ...['heading', 'space', 'paragraph', 'space', 'list', 'space', 'code', 'space', 'blockquote'],
  ])
})

test.each([
  ['quotes in quotes', '>'.repeat(30_000)],
  ['lists in lists', '1. '.repeat(10_000)],
  ['open brackets', '['.repeat(30_000)],
  ['open emphasis', '**a'.repeat(10_000)],
  ['open pictures', '![['.repeat(10_000)],
  ['table of nothing', `${'|'.repeat(15_000)}\n${'|-'.repeat(7000)}`],
  ['more than is read', 'a'.repeat(30_001)],
])('parses hostile text quickly, or returns it as text: %s', (_title, text) => {
  const startUs = process.cpuUsage().user
  const tokens = readMarkdown(text)
  expect(tokens === undefined || tokens.length > 0).toBe(true)
  expect((process.cpuUsage().user - startUs) / 1000).toBeLessThan(3000)
})

test.each([
  ['https://example.com/a?b=c', true],
  ['http://example.com', true],
  ['mailto:ada@example.com', true],
  ['tel:+49301234', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['JAVASCRIPT:alert(1)', false],
  ['data:text/html,<script>1</script>', false],
  ['vbscript:x', false],
  ['file:///etc/passwd', false],
  ['blob:https://example.com/1', false],
  ['/agents', false],
  ['//example.com', false],
  ['', false],
  [undefined, false],
])('%s is a link: %s', (address, leads) => {
  expect(safeAddress(address) !== undefined).toBe(leads)
})
