import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { cleanDeclarations, cleanSheet } from './clean-css.ts'
import { readCssToken } from './css-tokens.ts'

const names = (css: string): string[] => cleanSheet(css).removed.map(({ kind, name }) => `${kind} ${name}`)

// The source, the result, and the reported removals.
const sheets: readonly (readonly [source: string, left: string, ...removed: string[]])[] = [
  ['@import "javascript:alert(1)"; .a{color:red}', ' .a{color:red}', 'at-rule @import'],
  [
    '@import url(data:text/css,x);@import url(https://f.test/a.css);p{top:0}',
    '@import url(https://f.test/a.css);p{top:0}',
    'at-rule @import',
  ],
  ['@import url("file:///etc/x") screen;p{top:0}', 'p{top:0}', 'at-rule @import'],
  ['@import;p{top:0}', 'p{top:0}', 'at-rule @import'],
  ['@charset "utf-7";p{top:0}', 'p{top:0}', 'at-rule @charset'],
  ['p{color:red;behavior:url(x.htc);top:0}', 'p{color:red;top:0}', 'property behavior'],
  ['p{color:red;behavior:url(x.htc)}', 'p{color:red;}', 'property behavior'],
  ['p{-ms-behavior:url(x.htc);top:0}', 'p{top:0}', 'property -ms-behavior'],
  ['p{*behavior:url(x);_behavior:url(x);top:0}', 'p{top:0}', 'property *behavior', 'property _behavior'],
  ['v{behavior:url(#default#VML) url(x.htc);top:0}', 'v{top:0}', 'property behavior'],
  ['p{-moz-binding:url(x#y);top:0}', 'p{top:0}', 'property -moz-binding'],
  ['p{width:expression(alert(1));top:0}', 'p{top:0}', 'property width'],
  ['p{width:ｅｘｐｒｅｓｓｉｏｎ(1);top:0}', 'p{top:0}', 'property width'],
  ['p{width:exp/**/ression(1);top:0}', 'p{top:0}', 'property width'],
  ['p{width:\\65 xpression(1);top:0}', 'p{top:0}', 'property width'],
  ['@media print{p{width:expression(1);top:0}}a{left:0}', '@media print{p{top:0}}a{left:0}', 'property width'],
  [
    '@supports (display:grid){@media print{p{behavior:url(x)}b{top:0}}}',
    '@supports (display:grid){@media print{p{}b{top:0}}}',
    'property behavior',
  ],
  ['p{background:url(javascript:1)}b{top:0}', 'p{}b{top:0}', 'property background'],
  ['p{background:url( "vbscript:1" )}b{top:0}', 'p{}b{top:0}', 'property background'],
  ['@font-face{font-family:x;src:url(data:text/html,x);top:0}', '@font-face{font-family:x;top:0}', 'property src'],
  ['a{top:0}<![endif]b{left:0}i{right:0}', 'a{top:0}i{right:0}', 'rule <![endif]b'],
  ['a[title="expression(1)"]{top:0}b{left:0}', 'b{left:0}', 'rule a[title="expression(1)"]'],
  ['a:expression(1) b{top:0;left:0}i{right:0}', 'i{right:0}', 'rule a:expression(1) b'],
  ['x;@import "javascript:1";a{top:0}b{left:0}', 'b{left:0}', 'rule x;@import "javascript:1";a'],
  ['p{a<!--b:1;top:0}', 'p{top:0}', 'property a<!--b'],
  ['p{width:expression(1', 'p{', 'property width'],
  ['p{top:0}@import "javascript:', 'p{top:0}', 'at-rule @import'],
  // Removals without effect are not reported.
  ['<!-- a{top:0} --> b{top:0}', ' a{top:0}  b{top:0}'],
  ['/* the <td> */ .a{color:red} /* kept */', ' .a{color:red} /* kept */'],
  ['/* width: expression(1) for IE */a{top:0}/* kept */', 'a{top:0}/* kept */'],
  ['a{top:0;/* behavior:url(PIE.htc) */left:0}/* url(javascript:x) */b{right:0}', 'a{top:0;left:0}b{right:0}'],
  ['a{top:0}/* was: expression(', 'a{top:0}'],
  ['a{/* -moz-binding: url(x) */behavior:url(x);/* binding:url(x) */}', 'a{}', 'property behavior'],
  ['a/*<b>*/b{top:0}', 'a/**/b{top:0}'],
  ['@media (400px<width<=700px){p{top:0}}', '@media (400px< width<=700px){p{top:0}}'],
  ['p::after{content:"<b>"}', 'p::after{content:"\\3c b\\3e "}'],
  ['p{background:url("data:image/svg+xml,<svg/>")}', 'p{background:url("data:image/svg+xml,\\3c svg/\\3e ")}'],
]

test.each(sheets)('%s', (source, left, ...removed) => {
  expect(cleanSheet(source).css).toBe(left)
  expect(names(source)).toEqual(removed)
  expect(cleanSheet(left)).toEqual({ css: left, removed: [] })
})

// Common mail styles that used to cause the removal of the whole style sheet.
const untouched = [
  '@import url(http://fonts.test/css?family=Lato:400,700);@import url(//fonts.test/a.css);p{top:0}',
  '@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMg==) format("woff2"),url(data:application/font-woff;base64,d09G)}',
  '@font-face{src:url(x.eot?#iefix) format("embedded-opentype");src:local("☺"),url(https://f.test/x.woff)}',
  '.a{background:url("data:image/svg+xml;utf8,%3Csvg/%3E")}',
  '.mocha:hover{color:red}.javascript:hover,.language-javascript:focus{top:0}.behavior:hover{left:0}.binding:focus{top:0}',
  'html{scroll-behavior:smooth;overscroll-behavior:none}',
  'v\\:*{behavior:url(#default#VML);display:inline-block}o\\:*{behavior:url("#default#VML") !important}',
  '.ExternalClass *{line-height:100%}#outlook a{padding:0}u + .body .x{display:block!important}',
  'a[href^="javascript:"]{display:none}a[x-apple-data-detectors]{color:inherit!important}',
  '@media only screen and (max-width:480px){*[class~=hide]{display:none!important}}',
  '@media screen and (-webkit-min-device-pixel-ratio:0){.b{top:0}}@media yahoo{.c{top:0}}',
  '.a{*zoom:1;_height:1px;filter:progid:DXImageTransform.Microsoft.gradient(startColorstr="#80000000",endColorstr="#80000000")}',
  '.a{filter:alpha(opacity=50);-ms-filter:"progid:DXImageTransform.Microsoft.Alpha(Opacity=50)"}',
  '.a{color:red;;}}.b{top:0}',
  '@namespace svg url(http://www.w3.org/2000/svg);@page{margin:1cm}@keyframes x{from{top:0}50%{top:1px}to{top:2px}}',
  ':root{--brand:#fff;--empty:;--block:{a:b};color-scheme:light dark;supported-color-schemes:light dark}',
  '@container (width>400px){.a{&:hover{top:0}.b &{left:0}}}',
  '.a::before{content:"\\201C";content:"a;b}c{";quotes:"«" "»"}',
  '.hover\\:red:hover{color:red}.w-1\\/2{width:50%}.\\[\\&\\>p\\]\\:m{margin:0}',
  '@supports not (display:grid){.a{float:left}}@layer base,utilities;@layer base{p{top:0}}',
  '.a{width:calc(100% - (2 * 10px));background:image-set("a.png" 1x,"b.png" 2x)}',
  '@media(prefers-color-scheme:dark){.d{background:#000!important}}[data-ogsc] .d{color:#fff!important}',
  '/* "unclosed */p{top:0}/*\' */b{left:0}',
  '.a{font:12px/1.5 "Segoe UI",Arial;mso-line-height-rule:exactly;mso-style-priority:99}',
  '@-ms-viewport{width:device-width}@-moz-document url-prefix(){p{top:0}}',
]

test.each(untouched)('does not change %s', (css) => {
  expect(cleanSheet(css)).toEqual({ css, removed: [] })
})

const toDeclarations = (css: string, position: 'email' | 'inApp'): string => {
  const { refused } = cleanDeclarations(css, position)
  return refused.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), css)
}

test.each([
  ['color:red;behavior:url(x);top:0', 'color:red;top:0'],
  ['behavior:url(#default#VML)', 'behavior:url(#default#VML)'],
  ['color:red;width:expression(1)', 'color:red;'],
  ['a:b}*{width:expression(1)', 'a:b}*{'],
  ["font-family:'a;b';x:url(javascript:1);top:0", "font-family:'a;b';top:0"],
  ['background:url(data:image/png;base64,AA==);color:red', 'background:url(data:image/png;base64,AA==);color:red'],
])('cleans a style attribute in a mail: %s', (css, left) => {
  expect(toDeclarations(css, 'email')).toBe(left)
})

test.each([
  ['color:red;position:fixed;top:0;font:1em x', 'color:red;font:1em x'],
  ['p\\6fsition:fixed;color:red', 'color:red'],
  ['pos/**/ition:fixed;color:red', 'color:red'],
  ['margin:-100vh 0;margin:1em auto;margin-top:/**/-5px', 'margin:1em auto;'],
  ['box-shadow:0 0 0 9999px red;box-shadow:0 1px 2px rgba(0,0,0,.25)', 'box-shadow:0 1px 2px rgba(0,0,0,.25)'],
  ['transform:scale(99);translate:9em;animation:x 1s;z-index:9;inset:0;all:unset', ''],
  ['background:url(ftp://x);background:url(https://x/y.png) no-repeat', 'background:url(https://x/y.png) no-repeat'],
  // Lengths that are computed, or written with escapes.
  ['margin-left:min(0px - 9999px,0px);margin:max(1px*-999);margin-top:c\\61lc(0px - 9px);margin:0', 'margin:0'],
  ['margin:attr(title px);text-indent:round(0px - 9px,1px);margin:var(--gap,4px) auto', 'margin:var(--gap,4px) auto'],
  [
    'box-shadow:0 0 0 9999\\70x red;box-shadow:0 0 max(1px*9999);box-shadow:0 0 hsl(2 100% 50%)',
    'box-shadow:0 0 hsl(2 100% 50%)',
  ],
  ['box-shadow:0 1px 2px #1e1e1e;outline:1px solid #e9e1c1', 'box-shadow:0 1px 2px #1e1e1e;outline:1px solid #e9e1c1'],
  // Images painted outside the message.
  ['border-image-outset:9999;border-image:url(/a/b.png) 3 / 1px / 9999;-webkit-border-image:url("/a") 3/1/9', ''],
  ['border-image:url(https://x/a/b.png) 30 / 10px round', 'border-image:url(https://x/a/b.png) 30 / 10px round'],
  ['text-decoration:underline red 9999px;text-decoration-thickness:9999%;text-underline-offset:-900px', ''],
  ['letter-spacing:-999px;word-spacing:99em;column-rule:999px solid red;outline:99rem solid;outline:9cqw solid', ''],
  ['letter-spacing:-0.02em;text-decoration:underline 2px', 'letter-spacing:-0.02em;text-decoration:underline 2px'],
  ['--host-color:red;padding:4px;-webkit-text-size-adjust:100%', 'padding:4px;-webkit-text-size-adjust:100%'],
])('cleans a style attribute in an app: %s', (css, left) => {
  expect(toDeclarations(css, 'inApp').trim()).toBe(left)
})

test('tokens cover any text without gaps', () => {
  const bit = fc.constantFrom(
    ...'{}()[]:;"\'\\/*@#-<!>.+1ae \n',
    'url(',
    'URL(',
    '/*',
    '*/',
    '-->',
    '<!--',
    '\\65 ',
    '1e3px',
  )
  fc.assert(
    fc.property(fc.array(bit, { maxLength: 30 }), (bits) => {
      const css = bits.join('')
      let at = 0
      while (at < css.length) {
        const { start, end } = readCssToken(css, at)
        expect(start).toBe(at)
        expect(end).toBeGreaterThan(at)
        expect(end).toBeLessThanOrEqual(css.length)
        at = end
      }
    }),
    { numRuns: draws(500, 50_000) },
  )
})

test('does not change clean CSS, and an invalid declaration removes no other', () => {
  const bad = [
    'x:expression(1)',
    'behavior:url(x)',
    'background:url(javascript:1)',
    '-moz-binding:url(x)',
    'w:\\65xpression(1)',
  ]
  const good = fc.constantFrom(
    'color:red',
    'content:"};"',
    'background:url(a;b)',
    '--x:{;}',
    'font:1em/2 "a\\"b"',
    'a:(;)',
  )
  const declaration = fc.oneof({ weight: 3, arbitrary: good }, fc.constantFrom(...bad))
  const block = fc.array(declaration, { maxLength: 5 })
  const heads = fc.constantFrom('p', '.a:hover', '@media (width<9px)', '@font-face', 'a[b="{"]', '@supports (a:b)')
  const rule = fc.record({ head: heads, outer: fc.option(fc.constantFrom('@media x', '@layer y')), block })
  const write = (
    rules: readonly { head: string; outer: string | null; block: readonly string[] }[],
    isGood: boolean,
  ): string =>
    rules
      .map(({ head, outer, block: all }) => {
        const kept = all.map((one) => (isGood && bad.includes(one) ? '' : `${one};`)).join('')
        return outer === null ? `${head}{${kept}}` : `${outer}{${head}{${kept}}}`
      })
      .join('\n')
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), (rules) => {
      const expected = write(rules, true).replaceAll('(width<9px)', '(width<9px)')
      const { css, removed } = cleanSheet(write(rules, false))
      expect(css).toBe(expected)
      expect(removed.length).toBe(rules.flatMap((one) => one.block).filter((one) => bad.includes(one)).length)
      expect(cleanSheet(css)).toEqual({ css, removed: [] })
    }),
    { numRuns: draws(500, 50_000) },
  )
})
