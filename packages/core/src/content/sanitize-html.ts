import { decodeEntities } from './html-entities.ts'
import { attributeKind, type HtmlPosition, isRawText, tagFate } from './html-policy.ts'
import { type HtmlAttribute, type HtmlReader, readHtml } from './html-tokens.ts'
import { isSafeCss } from './safe-css.ts'
import { isSafeMeta } from './safe-meta.ts'
import { isSafeSrcset, isSafeUrl } from './safe-url.ts'

const hiddenCondition = /^\[if [\w\s!()&|.]+\]>([\s\S]*)<!\[endif\]\s*$/i
// `<!--[if !mso]><!-->` and its end, both also as `<!-- -->` writes them.
const openCondition = /^\[if [\w\s!()&|.]+\]><!(?:--\s*)?$/i
const openEnd = /^\s*<!\[endif\]\s*$/i
const doctype = /^doctype\s+html[\w\s"'/.:-]*$/i
const bareCondition = /^\[(?:if [\w\s!()&|.]+|endif)\]$/i
const loaded = new Set(['src', 'background', 'poster', 'srcset'])

/**
 * Takes out of HTML what runs code, and leaves what mail clients need: document, tables, styles, pictures (`cid:`
 * included), comments that are conditions of Office. What is left is written anew, tag by tag, so that every `<` in the
 * result begins a tag that was allowed; text, URLs and styles stay as they were.
 *
 * @param html - The HTML.
 * @param position - Where it is shown. @default 'email'
 */
export function sanitizeHtml(html: string, position: HtmlPosition = 'email'): string {
  if (!html.includes('<')) return html
  return sanitize(html, position)
}

function sanitize(html: string, position: HtmlPosition): string {
  let out = ''
  // The element that is being dropped with all it holds, and how often it is nested in itself.
  let dropped = ''
  let depth = 0
  const reader: HtmlReader = {
    text(text) {
      if (depth === 0) out += escapeText(text)
    },
    start(source, attributes, mark) {
      const selfClosing = mark.includes('/')
      const name = source.toLowerCase()
      const raw = isRawText(name, position) ? 'raw' : undefined
      if (depth > 0) {
        if (name === dropped && !selfClosing && !raw) depth++
        return raw
      }
      const fate = tagFate(name, position)
      if (fate === 'keep') out += writeStart(source, { attributes, mark, position })
      if (fate === 'drop' && !raw && !selfClosing) {
        dropped = name
        depth = 1
      }
      keepsRaw = fate === 'keep' ? name : ''
      return raw
    },
    raw(text) {
      if (depth > 0 || keepsRaw === '') return
      if (keepsRaw === 'style') out += cleanStyle(text)
      else out += escapeText(text)
    },
    end(source) {
      const name = source.toLowerCase()
      if (depth > 0) {
        if (name === dropped) depth--
      } else if (tagFate(name, position) === 'keep') out += `</${source}>`
    },
    comment(text) {
      if (depth === 0 && position === 'email') out += writeComment(text)
    },
    declaration(text) {
      if (depth > 0 || position !== 'email') return
      if (doctype.test(text) || bareCondition.test(text)) out += `<!${text}>`
    },
  }
  let keepsRaw = ''
  readHtml(html, reader)
  return out
}

interface StartTag {
  readonly attributes: readonly HtmlAttribute[]
  readonly mark: string
  readonly position: HtmlPosition
}

function writeStart(name: string, { attributes, mark, position }: StartTag): string {
  const tag = name.toLowerCase()
  if (tag === 'meta' || tag === 'link') {
    if (!isSafeMeta(tag, attributes)) return ''
  }
  let out = `<${name}`
  const seen = new Set<string>()
  for (const { name: source, value } of attributes) {
    const attribute = source.toLowerCase()
    // Of two attributes with one name the first counts.
    if (seen.has(attribute)) continue
    seen.add(attribute)
    if (!isAllowed(tag, attribute, { value: value ?? '', position })) continue
    out += value === undefined ? ` ${source}` : ` ${source}="${escapeValue(value)}"`
  }
  return out + mark
}

function isAllowed(tag: string, name: string, { value, position }: { value: string; position: HtmlPosition }): boolean {
  const kind = attributeKind(tag, name, position)
  if (kind === 'refused') return false
  if (kind === 'text') return true
  const decoded = decodeEntities(value)
  if (kind === 'style') return isSafeCss(decoded)
  if (name === 'srcset') return isSafeSrcset(decoded)
  return isSafeUrl(decoded, loaded.has(name) ? 'load' : 'follow')
}

/** Keeps a condition of Office; what it hides from others is cleaned like everything else. */
function writeComment(text: string): string {
  if (openCondition.test(text) || openEnd.test(text)) return `<!--${text}-->`
  const [, inner] = hiddenCondition.exec(text) ?? []
  if (inner === undefined) return ''
  const head = text.slice(0, text.indexOf('>') + 1)
  // What was taken out may have kept the two halves of a comment's end apart.
  const clean = sanitize(inner, 'office').replaceAll('-->', '--&gt;').replaceAll('--!>', '--!&gt;')
  return `<!--${head}${clean}<![endif]-->`
}

/**
 * The marks with which styles were once hidden from browsers are taken off, and with them every way out; so are remarks
 * that hold a tag.
 */
function cleanStyle(css: string): string {
  const bare = css
    .replace(/<!--|-->/g, '')
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (remark) => (remark.includes('<') && remark.endsWith('*/') ? '' : remark))
  return /<[a-z/!?]|-->/i.test(bare) || !isSafeCss(bare) ? '' : bare
}

function escapeText(text: string): string {
  return text.includes('<') ? text.replaceAll('<', '&lt;') : text
}

function escapeValue(value: string): string {
  return /["<>]/.test(value) ? value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : value
}
