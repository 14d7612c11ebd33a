// Measures how long the sanitizer takes for slow HTML: every unit in every context, in an email and in an app, at 20
// kB. Repeats the slowest and steepest ones at 1 MB, and adds random units. Prints the slowest of each size and
// everything above the limits. node test/bench/html.mjs [--draws 200]
import { parseArgs } from 'node:util'
import { sanitizeHtml } from '@trestle/core'

const { values } = parseArgs({ options: { draws: { type: 'string', default: '100' } } })
const limits = [
  { bytes: 20_000, ms: 10 },
  { bytes: 1_000_000, ms: 500 },
]
const positions = ['email', 'inApp']

const units = [
  ...[
    '<',
    '<a',
    '<a ',
    '<a x',
    '<a x=',
    '<a x=y ',
    '<a x="',
    "<a x='",
    '<a =',
    '</',
    '</a',
    '</a ',
    '</a x="',
    '/',
    ' ',
  ],
  ...['<!', '<!-', '<!--', '<!-- -->', '<!-->', '-->', '--!>', '<![', '<![if x]>', '<![endif]-->', '<?', '<![CDATA['],
  ...[
    '<!--[if mso]>',
    '<!--[if mso]><!--><!--<![endif]-->',
    '<!--[if mso]><p>x</p><![endif]-->',
    '<!--[if mso]><style>',
  ],
  ...['<!--[if mso]><![endif]', '<!--[if mso]><svg><p><![endif]-->', '<!--[if ', '<!--[if mso]> <!', '<!--\n'],
  ...[
    '<p>',
    '<b>',
    '</b>',
    '<p></p>',
    '<b><i></b></i>',
    '<div><p>',
    '<table>',
    '<table><tr><td>',
    '<td>',
    '<li>',
    '<ul><li>',
  ],
  ...[
    '<a href="x">',
    '<h1>',
    '<dl><dt>',
    '<table></tr>',
    '</table>',
    '<select>',
    '<select></select>',
    '<video>',
    '</video>',
  ],
  ...[
    '<svg>',
    '<svg><p>',
    '</svg>',
    '<svg></div>',
    '<div><svg></div>',
    '<svg><title>',
    '<math><mi>',
    '<template>',
    '<object>',
  ],
  ...[
    '<style>',
    '</style>',
    '<style></style>',
    '<title>',
    '<title></title>',
    '<textarea>',
    '<xmp>',
    '<iframe>',
    '<noscript>',
  ],
  ...[
    '<script>',
    '<script></script>',
    '<plaintext>',
    '<script type="application/ld+json">',
    '<script type="application/ld+json">[</script>',
  ],
  ...[
    '<style>@import "x";</style>',
    '<style>a{b:expression(1)}</style>',
    '<p style="a:expression(1)">',
    '<p style="a:(">',
  ],
  ...[
    '<p onclick=1>',
    '<x>',
    '<x onclick=1>',
    '<img src="javascript:x">',
    '<p class="fixed">',
    '<meta http-equiv=x>',
    '<base>',
  ],
  ...[
    '&',
    '&#',
    '&#x',
    '&#x41',
    '&amp',
    '&amp;',
    '&lt;',
    'x',
    'é',
    '\u0000',
    '\n',
    '\t',
    '"',
    "'",
    '=',
    '>',
    '\\',
    '`',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '{}',
    '{(',
    ';',
    ':',
    'a:b;',
    'a{b:c}',
    'a{',
    '@',
    '@a',
    '@a;',
    '@a{',
    '@import ',
    '@import "x";',
  ],
  ...[
    '@media x{',
    'url(',
    'url()',
    'url("',
    'url(x)',
    'url(\\',
    '/*',
    '*/',
    '/**/',
    '/*a',
    '/*<a*/',
    '//',
    '<!--a',
    'a<',
    'a<b',
  ],
  ...[
    '\\6',
    '\\65 ',
    '\\\n',
    '"\\',
    "'\\",
    '"a',
    '"\n',
    '"a"',
    '#',
    '#a',
    '.',
    '.1',
    '1e',
    '1e3',
    '-',
    '--',
    '--a:',
    '--a:{',
    '-->a',
    '+1',
  ],
  ...[
    'a:expression(1);',
    'expression(',
    'behavior:url(',
    'behavior:url(#default#VML);',
    'javascript:',
    'mocha:',
    'ｅ',
    'ʀ',
    'a\u0301',
  ],
  ...[
    ', ',
    ' 1x,',
    'data:',
    'http://x ',
    '\u200b',
    'a b ',
    'ng-',
    'md:',
    '-5',
    '1 ',
    'rgba(',
    '%',
    '!important',
    '\ufb01',
    '\ufdfa',
  ],
]
const around = [
  ...[
    ['', ''],
    ['<p>', '</p>'],
    ['<a ', '>'],
    ['<a title="', '">'],
    ['<a href="', '">'],
    ['<img srcset="', '">'],
    ['<p class="', '">'],
  ],
  ...[
    ['<p style="', '">'],
    ["<p style='", "'>"],
    ['<p style="a:b;', '">x'],
    ['<style>', '</style>'],
    ['<style>a{', '}</style>'],
  ],
  ...[
    ['<style>@media x{', '}</style>'],
    ['<svg>', ''],
    ['<svg>', '</svg>'],
    ['<!--[if mso]>', '<![endif]-->'],
    ['<!--', '-->'],
  ],
  ...[
    ['<!--[if mso]><style>', '</style><![endif]-->'],
    ['<title>', '</title>'],
    ['<script type="application/ld+json">"', '"</script>'],
  ],
  ...[
    ['<table>', '</table>'],
    ['<select>', '</select>'],
    ['<math><mi>', ''],
    ['<xmp>', '</xmp>'],
    ['<template>', '</template>'],
  ],
]

let seed = 7
const draw = (count) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % count
}
const drawn = Array.from({ length: Number(values.draws) }, () =>
  Array.from({ length: 2 + draw(5) }, () => units[draw(units.length)]).join(''),
)

const time = (html, position) => {
  const started = performance.now()
  sanitizeHtml(html, position)
  return performance.now() - started
}
/**
 * Returns the processor time, which other programs do not affect. Its clock is coarse, so many runs are measured
 * together.
 */
const timeAlone = (html, position, runs) => {
  const started = process.cpuUsage()
  for (let run = 0; run < runs; run++) sanitizeHtml(html, position)
  return process.cpuUsage(started).user / 1000 / runs
}
const build = (unit, [before, after], bytes) => `${before}${unit.repeat(Math.ceil(bytes / unit.length))}${after}<b>x`

const shapes = [...units, ...drawn].flatMap((unit) =>
  around.flatMap((surrounding) => positions.map((position) => ({ unit, surrounding, position }))),
)
/** A measurement by wall clock is accepted if it is fast enough; otherwise it is repeated in processor time. */
const measure = ({ unit, surrounding, position }, bytes, goodMs) => {
  const html = build(unit, surrounding, bytes)
  const tookMs = Math.min(time(html, position), time(html, position))
  return tookMs <= goodMs ? tookMs : Math.min(tookMs, timeAlone(html, position, bytes > 100_000 ? 3 : 20))
}

for (const warm of shapes.filter((_shape, index) => index % 20 === 0)) measure(warm, 2000, 0)
let failed = 0
// The larger size is only used for inputs that are slow at the smaller one, or whose time grows faster than their
// length.
let left = shapes
for (const { bytes, ms } of limits) {
  const measurements = left.map((shape) => {
    const tookMs = measure(shape, bytes, ms / 3)
    return { shape, tookMs, growth: bytes > 100_000 ? 0 : measure(shape, bytes / 5, tookMs) * 5 }
  })
  measurements.sort((one, other) => other.tookMs - one.tookMs)
  const over = measurements.filter(({ tookMs }) => tookMs > ms)
  failed += over.length
  process.stdout.write(
    `${bytes} bytes, limit ${ms} ms: ${measurements.length} shapes, ${over.length} over it; the slowest:\n`,
  )
  for (const { shape, tookMs } of measurements.slice(0, Math.max(5, Math.min(over.length, 30))))
    process.stdout.write(
      `  ${tookMs.toFixed(1)} ms ${JSON.stringify([shape.surrounding[0], shape.unit, shape.position])}\n`,
    )
  const steepest = [...measurements]
    .filter(({ tookMs }) => tookMs > 0.3)
    .sort((one, other) => other.tookMs / other.growth - one.tookMs / one.growth)
  left = [...new Set([...measurements.slice(0, 40), ...steepest.slice(0, 20)])].map(({ shape }) => shape)
}
process.exitCode = failed > 0 ? 1 : 0
