const refused = new Set([
  ...['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'file', 'blob', 'filesystem', 'about', 'jar', 'mhtml'],
  ...['view-source', 'ms-its', 'mk', 'res', 'intent', 'chrome', 'feed', 'vnd.ms.radio'],
])
const plain = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'cid', 'ftp', 'geo', 'xmpp', 'webcal', 'whatsapp'])
const image = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i
// Browsers take control characters and spaces in front away, and tabs and line ends anywhere.
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g

/**
 * Tells whether following or loading a URL runs nothing. Links into apps (`myapp://...`) are fine.
 *
 * @param url - The URL, entities decoded.
 * @param use - `load` for pictures and the like, which may also be `data:` images.
 */
export function isSafeUrl(url: string, use: 'follow' | 'load'): boolean {
  const text = url.replace(ignored, '')
  const colon = text.search(/[:/?#\\]/)
  if (colon < 0 || text[colon] !== ':') return true
  const scheme = text.slice(0, colon).toLowerCase()
  if (scheme === 'data') return use === 'load' && image.test(text)
  if (plain.has(scheme)) return true
  return /^[a-z][a-z0-9+.-]*$/.test(scheme) && !refused.has(scheme) && text.startsWith('//', colon + 1)
}

/**
 * Tells whether a `srcset` holds safe URLs only.
 *
 * @param srcset - The attribute's value, entities decoded.
 */
export function isSafeSrcset(srcset: string): boolean {
  return srcset.split(/,\s|\s+/).every((part) => isSafeUrl(part, 'load'))
}
