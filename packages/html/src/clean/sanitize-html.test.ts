import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import type { HtmlPosition } from '../base/html-position.ts'
import { attacks } from './attacks.fixture.ts'
import { findDangers } from './html-dangers.fixture.ts'
import { sanitizeHtml } from './sanitize-html.ts'

const runs = draws(500, 50_000)

describe.each<HtmlPosition>(['email', 'inApp'])('%s', (position) => {
  test.each(attacks)('%s', (attack) => {
    const clean = sanitizeHtml(attack, position)
    expect(findDangers(clean)).toEqual([])
    expect(findDangers(`<p>${clean}</p><i>after</i>`)).toEqual([])
    expect(sanitizeHtml(clean, position)).toBe(clean)
  })

  test('never returns anything executable for random markup', { timeout: 60_000 + runs * 20 }, () => {
    const bits = attacks.flatMap((attack) => attack.split(/(?=[<>"'`=\s/])|(?<=[<>"'`=\s/])/))
    const bit = fc.oneof(fc.constantFrom(...bits), fc.constantFrom(...attacks), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 14 }), (parts) => {
        const clean = sanitizeHtml(parts.join(''), position)
        expect(findDangers(clean)).toEqual([])
        expect(sanitizeHtml(clean, position)).toBe(clean)
      }),
      { numRuns: runs },
    )
  })
})

test('the checker of these tests detects most attacks', () => {
  const harmless = attacks.filter((attack) => findDangers(attack).length === 0)
  // A few attacks require a very old client, or are only text in a browser.
  expect(harmless.length).toBeLessThan(attacks.length / 6)
})

test('a message in an app cannot affect the page around it', () => {
  const text =
    '<style>*{display:none}</style><p id="app" name="cookie">x</p><form action="https://x"><input></form><title>t</title>'
  expect(sanitizeHtml(text, 'inApp')).toBe('<p>x</p>')
})

test('writes normalized markup', () => {
  expect(sanitizeHtml(`<p title='<b> "x"' title="second">`)).toBe('<p title="&lt;b&gt; &quot;x&quot;">')
  expect(sanitizeHtml('<a href=" https://x.test/ ">x</a>')).toBe('<a href=" https://x.test/ ">x</a>')
  expect(sanitizeHtml('a<!-- x --!>b<!-->c<!--->d<!-- e')).toBe('a<!-- -->b<!-- -->c<!-- -->d')
  expect(sanitizeHtml('<p>a</p >b</ p>c</>d<p')).toBe('<p>a</p>bcd')
  expect(sanitizeHtml('<svg><svg></svg>x</svg>y<object>z</object>')).toBe('yz')
})

test('keeps Office conditional comments in the form that emails use', () => {
  for (const html of [
    '<!--[if !mso]><!--><p>new</p><!--<![endif]--><p>rest</p>',
    '<!--[if !mso]><!-- --><p>new</p><!-- <![endif]--><p>rest</p>',
    '<!--[if mso]><p>old</p><![endif]--><p>rest</p>',
  ])
    expect(sanitizeHtml(html)).toBe(html)
  expect(sanitizeHtml('<!--[if mso]><p>old</p><![endif] --><p>rest</p>')).toBe(
    '<!--[if mso]><p>old</p><![endif]--><p>rest</p>',
  )
  expect(sanitizeHtml('a<!--[if mso]><!--<![endif]-->b<!--[if mso]></p x=">"><![endif]-->c')).toBe(
    'a<!--[if mso]><![endif]-->b<!--[if mso]></p><![endif]-->c',
  )
})

test('keeps the style sheet around a comment that contains a tag', () => {
  expect(sanitizeHtml('<style>/* the <td> */ .a{color:red} /* kept */</style>')).toBe(
    '<style> .a{color:red} /* kept */</style>',
  )
})

test('keeps text as text', () => {
  for (const text of ['', 'plain', 'a & b &amp; "c"', 'x > y']) expect(sanitizeHtml(text)).toBe(text)
  expect(sanitizeHtml('1 < 2 <3')).toBe('1 &lt; 2 &lt;3')
})

// Measures processor time, since other tests run in parallel.
test('takes linear time', { timeout: 300_000 }, () => {
  const units = [
    '<a x',
    ' x',
    '<',
    '<!--',
    '</a ',
    '<style>',
    '/*',
    '/*a',
    '/*a<*/',
    'url(',
    '\\',
    '<a b="',
    "<a b='",
    '<!--[if mso]>',
    '<!--[if mso]><!--<![endif]-->',
    '<!--[if mso]><p>x</p><![endif]-->',
    '&',
    '@import ',
  ]
  const around = [
    ['', ''],
    ['<a ', '>'],
    ['<p style="', '">'],
    ['<style>', '</style>'],
    ['<img srcset="', '">'],
    ['<svg>', ''],
    ['<p style="background: url(a', 'b)">'],
    ['<p style="background: url(\'a', 'b\')">'],
    ['<!--[if mso]>', 'x-->'],
  ]
  for (const unit of [
    ...units,
    ', ',
    '<a =',
    '/',
    '<svg>',
    ' ',
    '\n',
    ')',
    ' )',
    '&#x',
    '<title>',
    '<![if x]>',
    '<p style="',
  ]) {
    for (const [before, after] of around) {
      const started = process.cpuUsage()
      sanitizeHtml(`${before}${unit.repeat(50_000)}${after}<b>`)
      const { user } = process.cpuUsage(started)
      expect([unit, before, user / 1000 < 1000]).toEqual([unit, before, true])
    }
  }
})
