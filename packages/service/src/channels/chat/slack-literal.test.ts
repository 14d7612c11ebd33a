import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { listFaults } from './block-kit.fixture.ts'
import { toSlackBlocks } from './slack-blocks.ts'
import { ownNames } from './slack-names.ts'

const blocksOf = (children: readonly object[], head: object = {}): readonly JsonObject[] => {
  const blocks = toSlackBlocks({ type: 'card', ...head, children }, ownNames)
  expect(listFaults({ text: 'x', blocks })).toEqual([])
  return blocks
}
const plain = (text: string) => ({ type: 'plain_text', text })
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const section = (text: object) => ({ type: 'section', text })
const url = 'https://a.test/?x=1&y=2'

const marked = [
  '*urgent* now',
  'a _b_ c',
  'an ~old~ one',
  'run `npm i`',
  '```code```',
  '> said',
  'a\n>b',
  '_x_y',
  'a*b*c',
]
const unmarked = ['2 * 3', 'snake_case_name', 'a > b & <c>', '~5', 'one`', '* a\n* b', 'plain', 'größe_ä_b']

describe("card text with characters of Slack's markup", () => {
  test.each(marked)('is shown literally: %j', (text) => {
    expect(blocksOf([{ type: 'text', content: text, style: 'muted' }], { subtitle: text })).toEqual([
      { type: 'context', elements: [plain(text)] },
      { type: 'context', elements: [plain(text)] },
    ])
    expect(blocksOf([{ type: 'text', content: text, style: 'bold' }])).toEqual([section(plain(text))])
    const fields = [
      { label: text, value: 'v' },
      { label: 'k', value: text },
    ]
    expect(blocksOf([{ type: 'fields', children: fields }])).toEqual([
      { type: 'section', fields: [plain(`${text}\nv`), plain(`k\n${text}`)] },
    ])
    expect(blocksOf([{ type: 'link', url, label: text }])).toEqual([
      section(plain(text)),
      section(mrkdwn('<https://a.test/?x=1&amp;y=2>')),
    ])
    expect(blocksOf([{ type: 'link', url: 'ftp://a_b_', label: text }])).toEqual([
      section(plain(`${text}: ftp://a_b_`)),
    ])
    expect(blocksOf([{ type: 'image', url: 'data:,', alt: text }])).toEqual([
      section(plain(`${text} (the image itself was not sent to Slack)`)),
    ])
  })

  test.each(unmarked)('is emphasized if it contains no markup: %j', (text) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const bold = escaped
      .split('\n')
      .map((line) => `*${line}*`)
      .join('\n')
    if (!text.includes('*'))
      expect(blocksOf([{ type: 'text', content: text, style: 'bold' }])).toEqual([section(mrkdwn(bold))])
    expect(blocksOf([{ type: 'fields', children: [{ label: 'k', value: text }] }])).toEqual([
      { type: 'section', fields: [mrkdwn(`*k*\n${escaped}`)] },
    ])
    expect(blocksOf([{ type: 'link', url, label: text }])).toEqual([
      section(mrkdwn(`<https://a.test/?x=1&amp;y=2|${escaped}>`)),
    ])
  })
})
