import { decodeEntities } from '../markup/html-entities.ts'
import { readHtml } from '../markup/html-tokens.ts'

const skipped: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template'])
const blocks: ReadonlySet<string> = new Set(
  'address article blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const ignore = (): undefined => undefined

/**
 * Converts an HTML body to plain text for mail clients that do not display HTML: each paragraph becomes a line, and
 * each link is followed by its address. Runs in linear time.
 *
 * @param html - The HTML body.
 * @example
 * toPlainText('<h1>Hello</h1><p><a href="https://a.example">Shop</a></p>') // 'Hello\n\nShop (https://a.example)'
 */
export function toPlainText(html: string): string {
  const parts: string[] = []
  const links: (string | undefined)[] = []
  const space = (name: string, isEnd: boolean): void => {
    if (blocks.has(name)) parts.push(name === 'li' && !isEnd ? '\n- ' : '\n')
    else if (name === 'td' || name === 'th') parts.push(' ')
  }
  readHtml(html, {
    ...{ raw: ignore, comment: ignore, declaration: ignore, unfinished: ignore },
    text: (text) => void parts.push(decode(text.replace(/\s+/g, ' '))),
    start({ name, attributes }) {
      const tag = name.toLowerCase()
      if (skipped.has(tag)) return 'raw'
      if (tag === 'a') links.push(attributes.find((attribute) => attribute.name.toLowerCase() === 'href')?.value)
      else space(tag, false)
      return undefined
    },
    end(name) {
      const tag = name.toLowerCase()
      if (tag === 'a') parts.push(showLink(links.pop()))
      else space(tag, true)
    },
  })
  const lines = parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function showLink(href: string | undefined): string {
  return href && /^(?:https?|mailto):/i.test(href) ? ` (${decode(href)})` : ''
}

/** Decodes entities; replaces non-breaking spaces, and NUL, which the text of an email must not contain. */
function decode(text: string): string {
  return decodeEntities(text).replaceAll('\u00a0', ' ').replaceAll('\0', '\ufffd')
}
