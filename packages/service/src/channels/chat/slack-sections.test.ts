import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { listFaults } from './block-kit.fixture.ts'
import { toMrkdwn } from './slack-markdown.ts'
import { shortenMrkdwn, toPlainSections, toSections } from './slack-sections.ts'

const textsOf = (blocks: readonly JsonObject[]) => blocks.map((block) => String((block['text'] as JsonObject)['text']))
const split = (markdown: string) => textsOf(toSections(toMrkdwn(markdown)))

test('keeps a link in one section, wherever the section boundary would be', () => {
  for (let before = 2900; before <= 3010; before++) {
    const parts = split(`${'x'.repeat(before)} [the terms of the refund](https://a.test/terms-of-the-refund)`)
    expect(parts.join('')).toContain('<https://a.test/terms-of-the-refund|the terms of the refund>')
    expect(parts.filter((part) => part.includes('<') !== part.includes('>'))).toEqual([])
  }
})

test('repeats code delimiters in every section of long code', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `const value${index} = "<${index}>"\n`)
  const parts = split(`Look:\n\`\`\`ts\n${lines.join('')}\`\`\`\nand \`${'y'.repeat(4000)}\``)
  expect(parts.length).toBeGreaterThan(4)
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(3000)
    expect((part.match(/`+/g) ?? []).length % 2).toBe(0)
  }
  // The code continues on a new line.
  expect(parts[2]).toMatch(/^```\nconst value\d+ = .*\n```$/s)
})

test('repeats emphasis in every section', () => {
  expect(split(`${'x'.repeat(2500)} **${'word '.repeat(150)}end**`)[1]).toMatch(/^\*word.*end\*$/)
  const bold = textsOf(toSections(`*${'word '.repeat(1500)}end*`))
  expect(bold.length).toBe(3)
  for (const part of bold) expect(part).toMatch(/^\*word.*(word|end)\*$/)
})

test('repeats quote markers in every section', () => {
  const parts = split(`said\n> ${'word '.repeat(1400)}end\nand on`)
  expect(parts.length).toBe(3)
  expect(parts[0]).toMatch(/^said\n> word/)
  for (const part of parts.slice(1)) expect(part).toMatch(/^>word/)
  expect(parts[2]).toMatch(/end\nand on$/)
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(3000)
})

test('shortens a link that does not fit into a section, or shows it as text', () => {
  const url = `https://a.test/${'p'.repeat(1900)}`
  const [one, ...others] = textsOf(toSections(`<${url}|${'label '.repeat(400)}>`))
  expect(others).toEqual([])
  expect(one?.startsWith(`<${url}|label label`)).toBe(true)
  expect(one?.endsWith('…>')).toBe(true)
  const texts = textsOf(toSections(`<https://a.test/${'&amp;'.repeat(1000)}|label>`))
  expect(texts.join('')).toBe(`label: https://a.test/${'&amp;'.repeat(1000)}`)
})

test('keeps every section well-formed and loses no text', () => {
  const word = fc.constantFrom(
    'word',
    '\n> said',
    'a < b',
    '&',
    '😀',
    'é',
    '\n',
    '\n\n',
    'x'.repeat(700),
    '👩‍👩‍👧 '.repeat(90),
  )
  const filled = fc
    .array(fc.constantFrom('w', '&', '😀', ' ', '<x>', 'long '.repeat(40)), { minLength: 1, maxLength: 30 })
    .map((parts) => `a${parts.join('')}z`)
  const marked = filled.chain((text) =>
    fc.constantFrom(
      ...[
        `**${text}**`,
        `*${text}*`,
        `~~${text}~~`,
        `\`${text}\``,
        `[${text.slice(0, 400)}](https://a.test/?q=${'q'.repeat(99)})`,
      ],
      ...[`\`\`\`\n${text.replaceAll(' ', '\n')}\n\`\`\``, `**see [${text.slice(0, 90)}](https://a.test/a*b_c)**`],
    ),
  )
  const pieces = fc.array(fc.oneof(word, marked), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(pieces, (all) => {
      const mrkdwn = toMrkdwn(all.join(' ').replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])/g, ''))
      const parts = textsOf(toSections(mrkdwn))
      const bare = (text: string) => text.replaceAll(/[\s`*_~>]/g, '')
      expect(bare(parts.join(''))).toBe(bare(mrkdwn))
      for (const part of parts) {
        expect(listFaults({ text: 'x', blocks: toSections(part) })).toEqual([])
        expect(part.length).toBeLessThanOrEqual(3000)
        for (const sign of ['```', '`', '*', '~'])
          expect([sign, part.replaceAll(/<[^>]*>/g, '').split(sign).length % 2]).toEqual([sign, 1])
      }
    }),
    { numRuns: draws(100, 2000) },
  )
})

test('splits text without markup at character boundaries', () => {
  const parts = textsOf(toPlainSections(`x${'😀'.repeat(4000)}`))
  expect(parts.join('')).toBe(`x${'😀'.repeat(4000)}`)
  for (const part of parts) expect(part).toMatch(/^x?😀+$/u)
})

test('closes open markup in truncated text', () => {
  expect(shortenMrkdwn('a *b* c', 7)).toBe('a *b* c')
  expect(shortenMrkdwn('a *bold* c', 6)).toBe('a…')
  expect(shortenMrkdwn('&amp;&amp;&amp;', 12)).toBe('&amp;&amp;…')
  expect(shortenMrkdwn(`<https://a.test|label> and more`, 24)).toBe('<https://a.test|label>…')
})

test('handles unclosed markup quickly', () => {
  for (const part of ['*a ', '_a', '~a', '`', '```', '&amp;', '*', '_', ' ', '\n', '*a_b~c`d ', '<https://a.test|b>']) {
    const startedMs = process.cpuUsage().user / 1000
    toSections(part.repeat(100_000 / part.length))
    toSections(`*${'a'.repeat(50_000)}${part.repeat(50_000 / part.length)}`)
    expect([part, process.cpuUsage().user / 1000 - startedMs < 3000]).toEqual([part, true])
  }
})
