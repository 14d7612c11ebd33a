import { decodeCss } from './css-tokens.ts'

// Properties that style a message in the page flow, and cannot move it over other content.
const properties = new RegExp(
  `^(?:-(?:webkit|moz|ms|o)-)?(?:${[
    'color|opacity|visibility|display|direction|unicode-bidi|box-sizing|float|clear|cursor',
    '(?:background|border|padding|margin|font|list-style|text|flex|grid|object|overflow|word|line|letter|white|page)(?:-[a-z-]+)?',
    '(?:(?:min|max)-)?(?:width|height|inline-size|block-size)|aspect-ratio|vertical-align|table-layout|caption-side|empty-cells',
    '(?:row-|column-)?gap|columns?|column-[a-z-]+|order|(?:align|justify|place)-[a-z]+|hyphens|tab-size|quotes',
    'box-shadow|outline|outline-(?:color|style|width)|accent-color|color-scheme|break-[a-z]+|orphans|widows',
  ].join('|')})$|^mso-[a-z-]+$`,
)
const shifting = /^(?:margin|text-indent)/
const negative = /(?:^|[\s(,])-[\d.]|e[+-]?\d/
// Properties that can paint or position outside the element's box.
const spreading =
  /shadow|^outline|stroke|spacing$|^(?:-[a-z]+-)?text-(?:decoration|underline|emphasis)|rule|border-image$/
const far = new RegExp(
  '(?:^|[\\s,(+*/-])(?:\\d{3,}(?:\\.\\d+)?[a-z]|\\d{2,}(?:\\.\\d+)?(?:mm|pc|r?(?:em|ex|ch|ic|lh|cap)))|' +
    '(?<!\\d)\\d{4,}%|\\d(?:v|cq)[a-z]|\\d(?:in|cm|e[+-]?\\d)',
)
const callName = /(?<![\w-])([\w-]*)\(/g
// Other functions may compute a length that cannot be checked here.
const plainCall =
  /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|var|env|url|(?:-[a-z]+-)?(?:image-set|(?:repeating-)?(?:linear|radial|conic)-gradient))$/
// `#1e1e1e` is not a number.
const hexColor = /#[\da-f]+/g
const addresses = /"[^"]*"|'[^']*'|url\([^)]*(?:\)|$)/g

/**
 * Returns whether a declaration only affects its message, not the app around it.
 *
 * @param declaration - The declaration, without its `;`.
 */
export function isMessageStyle(declaration: string): boolean {
  const colon = declaration.indexOf(':')
  if (colon < 0) return false
  const name = declaration.slice(0, colon).trim().toLowerCase()
  if (!properties.test(name) || name.endsWith('border-image-outset')) return false
  const isShifting = shifting.test(name)
  if (!isShifting && !spreading.test(name)) return true
  const value = decodeCss(declaration.slice(colon + 1).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')).toLowerCase()
  for (const [, call = ''] of value.matchAll(callName)) if (!plainCall.test(call)) return false
  if (isShifting) return !negative.test(value)
  // The second part after a slash is the distance that a border image extends beyond the border.
  if (name.endsWith('border-image')) return value.replace(addresses, '').split('/').length <= 2
  return !far.test(value.replace(hexColor, ''))
}

const placingClass = new RegExp(
  `^!?-?(?:${[
    'fixed|absolute|sticky|(?:fixed|sticky)-(?:[a-z]+-)?(?:top|bottom)|position-(?:fixed|absolute|sticky)|stretched-link',
    '(?:inset|z|top|right|bottom|left|start|end|translate|scale|rotate|skew)-.+',
  ].join('|')})!?$|^!?-(?:m[trblxyse]?|space-[xy]|indent)-.|^m[trblxyse]?-(?:[a-z]+-)?n\\d`,
)
// A class that contains a declaration: `[position:fixed]`.
const writtenClass = /(?:^|[\s:])!?\[[\w-]+:/
const directive = /(?:^|[\s;])(?:(?:x|data)[-:_])?ng[-:_]/i

/**
 * Returns whether an element's classes neither move it in common style libraries nor run code in AngularJS, which also
 * reads directives from classes.
 *
 * @param classes - The value of a `class` attribute, with entities decoded.
 */
export function isMessageClass(classes: string): boolean {
  if (directive.test(classes) || writtenClass.test(classes)) return false
  return !classes.split(/\s+/).some((name) => placingClass.test(name.slice(name.lastIndexOf(':') + 1)))
}
