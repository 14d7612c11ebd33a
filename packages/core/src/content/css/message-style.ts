// What shapes a message within its place; nothing that takes it out of the flow of the page or moves it over the page.
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
const negative = /(?:^|[\s(,])-[\d.]|calc|e[+-]?\d/
const spreading = /shadow|^outline|stroke/
const far = /(?:^|[\s,(+-])\d{3,}(?:\.\d+)?[a-z]|\dv[a-z]|\d(?:in|cm|e[+-]?\d)|calc/

/**
 * Returns whether a declaration shapes only the message it stands in, not the app around it.
 *
 * @param declaration - The declaration, without its `;`.
 */
export function isMessageStyle(declaration: string): boolean {
  const colon = declaration.indexOf(':')
  if (colon < 0) return false
  const name = declaration.slice(0, colon).trim().toLowerCase()
  if (!properties.test(name)) return false
  const value = declaration
    .slice(colon + 1)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .toLowerCase()
  if (shifting.test(name) && negative.test(value)) return false
  return !(spreading.test(name) && far.test(value))
}

const placingClass =
  /^!?-?(?:fixed|absolute|sticky|(?:fixed|sticky)-(?:top|bottom)|position-(?:fixed|absolute|sticky)|stretched-link|(?:inset|z|top|right|bottom|left|translate)-.+)$/
const directive = /(?:^|[\s;])(?:(?:x|data)[-:_])?ng[-:_]/i

/**
 * Returns whether the classes of an element leave it where it is in common style libraries, and run nothing in AngularJS,
 * which reads directives from classes too.
 *
 * @param classes - The value of a `class` attribute, entities decoded.
 */
export function isMessageClass(classes: string): boolean {
  if (directive.test(classes)) return false
  return !classes.split(/\s+/).some((name) => placingClass.test(name.slice(name.lastIndexOf(':') + 1)))
}
