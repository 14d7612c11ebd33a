import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { toMrkdwn } from './slack-markdown.ts'
import { escapeSlack } from './slack-text.ts'

describe("Markdown in Slack's markup", () => {
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
    ['[**bold**](https://a.test)b', '<https://a.test|bold>b'],
    ['[a ***b*** __c__ *d* _e_ ~~f~~ g_h_i](https://a.test)', '<https://a.test|a b c d e f g_h_i>'],
    ['**[bold](https://a.test)**', '*<https://a.test|bold>*'],
    ['[Hamlet](https://a.test/Hamlet_(opera))!', '<https://a.test/Hamlet_(opera)|Hamlet>!'],
    ['([a](https://a.test/(b(c)d)e))', '(<https://a.test/(b(c)d)e|a>)'],
    ['[a](https://a.test/(b [c](https://c.test)', '[a](https://a.test/(b <https://c.test|c>'],
    ['[x](https://a.b "title")', '<https://a.b|x>'],
    ["[x]( https://a.b  'it is (a) title' )", '<https://a.b|x>'],
    ['[x](<https://a.b/(>)', '<https://a.b/(|x>'],
    ['[x](https://a.b title)', '[x](https://a.b title)'],
    ['[a\\]b](https://a.test/c\\_d)', '<https://a.test/c_d|a]b>'],
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
    ['\u0001 \\* &amp;', '\u0001 * &amp;amp;'],
    ['\\*stars\\* \\_x\\_', '\u200b*\u200bstars\u200b*\u200b \u200b_\u200bx\u200b_\u200b'],
    ['snake\\_case 2 \\* 3 \\* 4', 'snake_case 2 * 3 * 4'],
    ['\\`no code\\` `code \\*`', '\u200b`\u200bno code\u200b`\u200b `code \\*`'],
    ['\\# no title\n\\- no list\n1\\. one', '# no title\n- no list\n1. one'],
    ['\\> no quote\na \\> b', '\u200b&gt; no quote\na &gt; b'],
    ['\\[a](https://a.test) \\<b\\> \\&', '[a](https://a.test) &lt;b&gt; &amp;'],
    ['a\\|b C:\\dir \\\\*b*', 'a|b C:\\dir \\_b_'],
    ['~~~\nif (a < b) **x**\n~~~', '```\nif (a &lt; b) **x**\n```'],
    ['a\n~~~~ts\n`x`\n```\n~~~~ \nb', 'a\n```\n`x`\n`\u200b`\u200b`\n```\nb'],
    ['~~~\n# x', '```\n# x\n```'],
    ['a ~~~ b', 'a ~~~ b'],
  ])('%j', (markdown, expected) => {
    expect(toMrkdwn(markdown)).toBe(expected)
  })

  test('never contains markup from the input, and loses no characters', () => {
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
        // The language of a code fence is omitted.
        const names = (markdown.match(/(?:```|~~~)[^\n]*\n/g) ?? []).join('')
        expect(letters(said)).toBeLessThanOrEqual(letters(escapeSlack(markdown)))
        expect(letters(said)).toBeGreaterThanOrEqual(letters(escapeSlack(markdown)) - letters(names))
      }),
      { numRuns: draws(200, 10_000) },
    )
  })

  test('handles unclosed markup quickly', () => {
    const length = 100_000
    const unending = [
      '[',
      '**a ',
      '*a ',
      '~~a ',
      '`a',
      '```',
      '# ',
      '#',
      '&',
      '<',
      '![a](',
      '_',
      '> ',
      '- ',
      '__a ',
      '~~~a\n',
      '~~~',
      '\\',
      '\\*',
    ].concat(['[a](', '[a](b(', '[a](b(c', '[a](<', '[a](b "', '[a]((', '[a](b(c)'])
    for (const part of unending) {
      const startedMs = process.cpuUsage().user / 1000
      toMrkdwn(part.repeat(length / part.length))
      toMrkdwn(`# ${part.repeat(length / part.length)} x`)
      toMrkdwn(`# ${' '.repeat(length)}#${' '.repeat(length)}x`)
      expect([part, process.cpuUsage().user / 1000 - startedMs < 3000]).toEqual([part, true])
    }
  })
})
