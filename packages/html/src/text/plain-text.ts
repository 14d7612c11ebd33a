const skipped: ReadonlySet<string> = new Set(['head', 'script', 'style', 'title', 'template'])
const blocks: ReadonlySet<string> = new Set(
  'address article blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * Converts an HTML body to plain text, for email clients without HTML: paragraphs as lines, links followed by their
 * URL. Reads the input once from left to right, in linear time.
 *
 * @param html - The body.
 * @example
 * toPlainText('<h1>Hello</h1><p><a href="https://a.example">Shop</a></p>') // 'Hello\n\nShop (https://a.example)'
 */
export function toPlainText(html: string): string {
  const parts: string[] = []
  const links: (string | undefined)[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    parts.push(decode(html.slice(at, open === -1 ? html.length : open).replace(/\s+/g, ' ')))
    if (open === -1) break
    const close = html.startsWith('<!--', open) ? endOf(html, '-->', open) : endOf(html, '>', open)
    const tag = readTag(html.slice(open, close))
    at = close
    if (tag === undefined) continue
    const { name, isEnd, href } = tag
    // The content of a script or a style is not markup.
    if (!isEnd && skipped.has(name)) at = endOfElement(html, name, close)
    else if (name === 'a' && isEnd) parts.push(showLink(links.pop()))
    else if (name === 'a') links.push(href)
    else if (blocks.has(name)) parts.push(name === 'li' && !isEnd ? '\n- ' : '\n')
    else if (name === 'td' || name === 'th') parts.push(' ')
  }
  const lines = parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

function endOfElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi')
  end.lastIndex = from
  return end.test(html) ? endOf(html, '>', end.lastIndex) : html.length
}

function readTag(source: string): { name: string; isEnd: boolean; href: string | undefined } | undefined {
  const found = /^<(\/?)([A-Za-z][A-Za-z0-9]*)/.exec(source)
  if (!found) return undefined
  const [, slash, name = ''] = found
  const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(source)
  return { name: name.toLowerCase(), isEnd: slash === '/', href: href?.[1] ?? href?.[2] }
}

function showLink(href: string | undefined): string {
  return href && /^(?:https?|mailto):/i.test(href) ? ` (${decode(href)})` : ''
}

function decode(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,5});/gi, (source) => {
    const inner = source.slice(1, -1).toLowerCase()
    if (!inner.startsWith('#')) return entities[inner] ?? source
    const code = inner.startsWith('#x') ? Number.parseInt(inner.slice(2), 16) : Number(inner.slice(1))
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : source
  })
}
