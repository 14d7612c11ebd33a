import { isSafeUrl } from './safe-url.ts'

const escaped = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([\s\S]))/gi
const comment = /\/\*[\s\S]*?(?:\*\/|$)/g
const url = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))/g
const imported = /@import\s*(?:url\(\s*)?["']?([^"')\s;]*)/g
// Ways in which style sheets of some time ran code. `behavior` is the name of a property, not the end of one.
const running = /expression\(|javascript:|vbscript:|livescript:|mocha:|-moz-binding|(?:^|[^-\w])behaviou?r:/
// How Office is told to draw its shapes.
const officeShapes = /behavior:url\(["']?#default#vml["']?\)/g

// Without one of these there is nothing to look for: no call, no escape, no comment, no control character.
const suspicious = /[^\n\r\t -~]|[\\(@]|\/\*|behavio|binding|script|mocha/i

/**
 * Tells whether a style sheet or a `style` attribute runs nothing and loads only what is safe.
 *
 * @param css - The CSS, entities decoded.
 */
export function isSafeCss(css: string): boolean {
  if (!suspicious.test(css)) return true
  // Both readings: with comments as nothing, and with comments as they stand, as some clients read them.
  return isSafeText(decode(css.replace(comment, ''))) && isSafeText(decode(css))
}

function decode(css: string): string {
  if (!css.includes('\\')) return css.toLowerCase()
  return css
    .replace(escaped, (_whole, hex?: string, other?: string) => {
      if (hex === undefined) return other ?? ''
      const code = Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .toLowerCase()
}

function isSafeText(css: string): boolean {
  const bare = css.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '').replace(officeShapes, '')
  if (running.test(bare)) return false
  for (const [, double, single, plain] of css.matchAll(url)) {
    if (!isSafeUrl(double ?? single ?? plain ?? '', 'load')) return false
  }
  for (const [, address = ''] of css.matchAll(imported)) if (!/^https:\/\//.test(address)) return false
  return true
}
