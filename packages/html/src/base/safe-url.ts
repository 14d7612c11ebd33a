import type { HtmlPosition } from './html-position.ts'

/**
 * How a URL is used: `follow` a link, `load` an image or similar, `style` for images and fonts in CSS, or load a
 * `sheet` of styles.
 */
export type UrlUse = 'follow' | 'load' | 'style' | 'sheet'

const plain = new Set(
  (
    'http https mailto tel sms smsto mms mmsto cid mid ftp geo xmpp webcal whatsapp sip sips skype callto facetime ' +
    'facetime-audio im pres message maps spotify bitcoin magnet viber sgnl line news'
  ).split(' '),
)
const inApp = new Set(['http', 'https', 'mailto', 'tel', 'sms'])
const refused = new Set(
  (
    'javascript vbscript livescript mocha jscript data file blob filesystem about jar mhtml view-source mk res ' +
    'resource intent chrome feed vnd.ms.radio smb nfs afp ldap ldaps search shell hcp jnlp telnet rlogin local ' +
    'wyciwyg moz-icon'
  ).split(' '),
)
const image = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i
// An SVG that CSS loads as an image does not run scripts, and neither does a font.
const styleData =
  /^data:(?:image\/svg\+xml|(?:application\/(?:x-)?)?font[-/\w]*|application\/(?:x-font[-\w]*|vnd\.ms-(?:fontobject|opentype)|octet-stream))[;,]/i
// Browsers remove leading control characters and spaces, and tabs and line breaks anywhere.
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g
// The path of a network share: Windows would send credentials to it.
const share = /^(?:\\[\\/]|\/\\)/

/**
 * Returns a URL as browsers interpret it, without the characters that they ignore.
 *
 * @param url - The URL, with entities decoded.
 */
export function toReadUrl(url: string): string {
  return url.replace(ignored, '')
}

/**
 * Returns whether a URL runs no code when it is followed or loaded. An email can link to apps (`myapp://...`); an
 * in-app message can only use common schemes.
 *
 * @param position - Where the HTML is displayed. @default 'email'
 */
export function isSafeUrl(url: string, use: UrlUse, position: HtmlPosition = 'email'): boolean {
  const text = toReadUrl(url)
  if (share.test(text)) return false
  const colon = text.search(/[:/?#\\]/)
  if (colon < 0 || text[colon] !== ':') return true
  const scheme = text.slice(0, colon).toLowerCase()
  if (use === 'sheet') return scheme === 'http' || scheme === 'https'
  if (scheme === 'data')
    return (use !== 'follow' && image.test(text)) || (use === 'style' && position !== 'inApp' && styleData.test(text))
  if (position === 'inApp') return inApp.has(scheme)
  if (plain.has(scheme)) return true
  const isApp = /^[a-z][a-z0-9+.-]*$/.test(scheme) && text.startsWith('//', colon + 1)
  return isApp && !refused.has(scheme) && !scheme.startsWith('ms-') && !scheme.startsWith('search-')
}

/**
 * Returns whether all URLs of a `srcset` are safe.
 *
 * @param position - The place of the HTML. @default 'email'
 */
export function isSafeSrcset(srcset: string, position: HtmlPosition = 'email'): boolean {
  return srcset.split(/,\s|\s+/).every((part) => isSafeUrl(part, 'load', position))
}
