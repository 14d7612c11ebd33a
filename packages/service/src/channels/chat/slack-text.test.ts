import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeSlack, fromSlackText, shorten, toMrkdwn, toSlackLink } from './slack-text.ts'

describe('Markdown in Slack’s markup', () => {
  test.each([
    ['plain', 'plain'],
    ['a **bold** and __bold__ word', 'a *bold* and *bold* word'],
    ['an *italic* and _italic_ word', 'an _italic_ and _italic_ word'],
    ['***both***', '*_both_*'],
    ['**bold with *italic* in it**', '*bold with _italic_ in it*'],
    ['~~gone~~', '~gone~'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['a*b*c', 'a*b*c'],
    ['** not bold **', '** not bold **'],
    ['# Title', '*Title*'],
    ['### Title ###', '*Title*'],
    ['# C#', '*C#*'],
    ['## **Bold** title', '*Bold title*'],
    ['- one\n- two\n  * three\n+ four', '• one\n• two\n  • three\n• four'],
    ['1. one', '1. one'],
    ['> said\n>> twice', '> said\n>> twice'],
    ['a > b & c < d', 'a &gt; b &amp; c &lt; d'],
    ['[label](https://a.test/?x=1&y=2)', '<https://a.test/?x=1&amp;y=2|label>'],
    ['![alt](https://a.test/i.png)', '<https://a.test/i.png|alt>'],
    ['[**bold**](https://a.test)b', '<https://a.test|**bold**>b'],
    ['[mail](mailto:a@b.test)', '<mailto:a@b.test|mail>'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['[a|b](https://a.test/|x)', '<https://a.test/%7Cx|a¦b>'],
    ['`**code** <b>`', '`**code** &lt;b&gt;`'],
    ['```ts\nconst a = **b**\n```', '```\nconst a = **b**\n```'],
    ['```unclosed **b**', '```unclosed *b*'],
    ['a `x` > b\n- `y`', 'a `x` &gt; b\n• `y`'],
    ['**`a`** [`b`](https://a.test)', '*`a`* <https://a.test|`b`>'],
    [
      '<!channel> <@U1> <https://evil.test|good.test>',
      '&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.test|good.test&gt;',
    ],
    ['\u0001 \\* &amp;', '\u0001 \\* &amp;amp;'],
  ])('%j', (markdown, expected) => {
    expect(toMrkdwn(markdown)).toBe(expected)
  })

  test('never holds a sign of Slack that was not made here, and loses no letter', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '&',
        '|',
        '*',
        '**',
        '_',
        '__',
        '~~',
        '`',
        '```',
        '#',
        '# ',
        '- ',
        '> ',
        '\n',
        ' ',
        '!',
        '@',
        '[',
        ']',
      ],
      ...['(', ')', 'https://a.test', '](https://a.test)', 'b', 'word', '7', ';', '\u0001', '😀'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const markdown = pieces.join('')
        const said = toMrkdwn(markdown)
        const rest = said.replaceAll(/<(https:\/\/[^<>|]*)(\|[^<>]*)?>/g, '')
        expect(rest).not.toContain('<')
        expect(rest.replaceAll(/^>[> ]*/gm, '')).not.toContain('>')
        expect(said).not.toContain('\u0000')
        const letters = (text: string) => text.replaceAll(/&\w+;|[^b7;😀]/gu, '').length
        expect(letters(said)).toBe(letters(escapeSlack(markdown)))
      }),
      { numRuns: Math.min(Number(process.env['FC_RUNS'] ?? 500), 20_000) },
    )
  })

  test('takes little time for what never ends', () => {
    const length = 100_000
    const unending = ['[', '**a ', '*a ', '~~a ', '`a', '```', '# ', '#', '&', '<', '![a](', '_', '> ', '- ', '__a ']
    for (const part of unending) {
      const startedMs = process.cpuUsage().user / 1000
      toMrkdwn(part.repeat(length / part.length))
      toMrkdwn(`# ${part.repeat(length / part.length)} x`)
      toMrkdwn(`# ${' '.repeat(length)}#${' '.repeat(length)}x`)
      expect([part, process.cpuUsage().user / 1000 - startedMs < 3000]).toEqual([part, true])
    }
  })
})

test.each([
  ['hello', 'hello'],
  ['<@UBOT> hello', 'hello'],
  ['<@UBOT|bot>, hello', 'hello'],
  ['<@U1> hello <@UBOT>', '@U1 hello @UBOT'],
  ['<@U1|ada> <#C1|general> <!here> <!subteam^S1|@team>', '@ada #general @here @team'],
  [
    '<https://a.test> <https://a.test|a.test> <https://a.test|https://a.test>',
    'https://a.test a.test (https://a.test) https://a.test',
  ],
  ['<mailto:a@b.test|a@b.test>', 'a@b.test'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt;', '1 < 2 && 3 > 2, &lt;'],
  ['<', '<'],
])('what somebody wrote on Slack, %j, is plain text', (text, expected) => {
  expect(fromSlackText(text, ['UBOT'])).toBe(expected)
})

test('any text that is escaped comes back as it was', () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('&', 'lt;', 'amp;', '<', '>', '@', '|', 'a')).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect(fromSlackText(escapeSlack(given))).toBe(given)
    }),
  )
})

test('texts are shortened between characters', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('abcd', 3)).toBe('ab…')
  expect(shorten('a😀bc', 3)).toBe('a…')
})

test('links lead to the web and to mail only', () => {
  expect(toSlackLink('https://a.test', 'a <b>')).toBe('<https://a.test|a &lt;b&gt;>')
  expect(toSlackLink('javascript:alert(1)', 'a')).toBeUndefined()
})
