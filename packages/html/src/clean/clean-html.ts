import type { HtmlPosition } from '../base/html-position.ts'
import { cleanSheet } from '../css/clean-css.ts'
import { isBareCondition, readConditionalComment } from '../markup/conditional-comment.ts'
import { createDroppedRegion, isForeign } from '../markup/dropped-region.ts'
import { isDataScript, writeData } from '../markup/head-elements.ts'
import { hidesContent, isEndless, isRawText, isVoid, showsSource, tagFate } from '../markup/html-policy.ts'
import { type HtmlTag, readHtml } from '../markup/html-tokens.ts'
import {
  countOpen,
  createHtmlWriter,
  emit,
  escapeText,
  finish,
  type HtmlSource,
  type HtmlWriter,
  lastEnd,
  noteHiding,
  writeText,
} from '../markup/html-writer.ts'
import { createRemovalLog, type Removal } from '../markup/removals.ts'
import { writeTag } from '../markup/write-tag.ts'

/** Cleaned HTML, and what was removed. */
export interface CleanHtml {
  readonly html: string
  /** The first 50 removals, in source order. Comments are not listed. */
  readonly removed: readonly Removal[]
  /** The number of removals. */
  readonly removedCount: number
}

/**
 * Removes everything that can run code from HTML, and reports it. The rest is written tag by tag and never edited
 * afterwards. Every `<` in the result starts an allowed tag, or `<%name%>`, which every client treats as text.
 *
 * @param html - The HTML to clean.
 * @param position - Where the HTML is displayed.
 * @example
 * cleanHtml('<p onclick="x()">Hello</p>', 'email').removed // [{ kind: 'attribute', name: 'onclick', line: 1, column: 1 }]
 */
export function cleanHtml(html: string, position: HtmlPosition): CleanHtml {
  if (!html.includes('<')) return { html, removed: [], removedCount: 0 }
  const log = createRemovalLog()
  const clean = write({ html, position, log, offset: 0 })
  return { html: clean, removed: log.list(html), removedCount: log.count() }
}

function write(source: HtmlSource): string {
  const writer = createHtmlWriter(source)
  const { log, offset, stack } = writer
  readHtml(source.html, {
    text: (text) => void (writer.region || writeText(writer, text)),
    start: (tag) => writeStart(writer, tag),
    raw: (text, at) => writeRaw(writer, text, at),
    end: (name, at) => writeEnd(writer, name, at),
    comment: (text, at) => void (writer.region || writeComment(writer, text, at)),
    declaration: (text) => void (writer.region || writeDeclaration(writer, text)),
    unfinished: (at) => log.add('tag', /^<\/?[^\s/>]+/.exec(source.html.slice(at, at + 80))?.[0] ?? '<', offset + at),
  })
  // Closes a style sheet or a title whose end tag is missing, so that it does not include the text after it.
  const rawEnd = writer.openRaw === '' ? '' : `</${writer.openRaw}>`
  return finish(writer) + rawEnd + (stack?.closeAll() ?? '')
}

function writeStart(writer: HtmlWriter, tag: HtmlTag): 'raw' | undefined {
  const { position, log, offset } = writer
  const name = tag.name.toLowerCase()
  // Without an end tag, the element would include all text after it, which is correct only for code.
  const isRaw = isRawText(name, position) && (isEndless(name) || lastEnd(writer, name) >= tag.end)
  const isSelfClosing = tag.mark.includes('/')
  const isRawWithin = isRaw && writer.region?.isHtml() === true
  if (writer.region?.start(name, isSelfClosing || isVoid(name) || isRawWithin)) {
    writer.raw = 'drop'
    return isRawWithin ? 'raw' : undefined
  }
  writer.region = undefined
  const fate = isRaw || !isRawText(name, position) ? tagFate(name, position) : 'unwrap'
  writer.raw = 'drop'
  if (fate === 'keep') keepStart(writer, tag, name)
  else if (name === 'script' && position === 'email' && isDataScript(tag.attributes)) writer.raw = 'data'
  else {
    log.add('element', name, offset + tag.at)
    writer.gap ||= 'markup'
    if (showsSource(name)) writer.raw = 'source'
    if (fate === 'drop' && !isRaw && !isSelfClosing) dropFrom(writer, tag, name)
  }
  return isRaw ? 'raw' : undefined
}

/** Removes an element; if it has no end tag, only its start tag. */
function dropFrom(writer: HtmlWriter, tag: HtmlTag, name: string): void {
  const isClosed = lastEnd(writer, name) >= tag.end
  if (!isClosed && !isForeign(name)) return
  const isOpen = (around: string): boolean => (writer.open?.get(around) ?? 0) > 0
  writer.region = createDroppedRegion(name, { isClosed, isOpen })
}

function keepStart(writer: HtmlWriter, tag: HtmlTag, name: string): void {
  const ends = writer.stack ? writer.stack.open(name) : ''
  if (ends === undefined) {
    writer.log.add('element', name, writer.offset + tag.at)
    writer.gap ||= 'markup'
    return
  }
  emit(writer, ends + writeTag(tag, writer))
  if (hidesContent(name)) {
    if (!writer.stack) noteHiding(writer, name)
    else if (lastEnd(writer, name) < tag.end) emit(writer, writer.stack.close(name))
  }
  if (!isVoid(name)) countOpen(writer, name, 1)
  writer.raw = name === 'style' ? 'style' : 'text'
  writer.openRaw = isRawText(name, writer.position) ? name : ''
}

function writeRaw(writer: HtmlWriter, text: string, at: number): void {
  const { raw, position, log, offset } = writer
  if (raw === 'source') writeText(writer, text.replaceAll('&', '&amp;').replaceAll('\0', '\ufffd'))
  else if (raw === 'text') emit(writer, escapeText(text, position))
  else if (raw === 'data') {
    const data = writeData(text)
    if (data === undefined) log.add('element', 'script', offset + at)
    else emit(writer, `<script type="application/ld+json">${data}</script>`)
  } else if (raw === 'style') {
    const { css, removed } = cleanSheet(text)
    for (const { kind, name, start } of removed) log.add(kind, name, offset + at + start)
    emit(writer, css)
  }
}

function writeEnd(writer: HtmlWriter, source: string, at: number): void {
  const name = source.toLowerCase()
  if (writer.region) {
    const place = writer.region.end(name)
    if (place !== 'within') writer.region = undefined
    if (place !== 'outside') return
  }
  const { position, stack, log, offset } = writer
  writer.raw = 'drop'
  writer.openRaw = ''
  if (tagFate(name, position) !== 'keep') {
    writer.gap ||= 'markup'
    return
  }
  countOpen(writer, name, -1)
  writer.hiding?.get(name)?.pop()
  const ends = stack ? stack.close(name) : `</${source}>`
  if (ends === '') {
    log.add('end-tag', name, offset + at)
    writer.gap ||= 'markup'
  }
  emit(writer, ends)
}

/** Keeps an Office condition, and cleans its content. */
function writeComment(writer: HtmlWriter, text: string, at: number): void {
  const condition = writer.position === 'email' ? readConditionalComment(text) : undefined
  if (!condition) {
    writer.gap = 'comment'
    return
  }
  const { head, html, tail } = condition
  const inner = { html, position: 'office' as const, log: writer.log, offset: writer.offset + at + head.length }
  emit(writer, `<!--${head}${html === '' ? '' : write(inner)}${tail}-->`)
}

// The characters of public identifiers and URLs; without a doctype, clients render an email in quirks mode.
const doctype = /^doctype\s*html[\w\s"'()+,./:=?;!*#@$%~&-]*$/i
// Browsers ignore definitions after an identifier.
const definitions = /(["'])\s*\[[\s\S]*$/

function writeDeclaration(writer: HtmlWriter, source: string): void {
  const isMail = writer.position === 'email'
  const text = isMail ? source.replace(definitions, '$1') : source
  const isKept = isMail ? doctype.test(text) || isBareCondition(text) : isOfficeCondition(writer, text)
  if (isKept) emit(writer, `<!${text}>`)
  else writer.gap ||= 'comment'
}

const isOfficeCondition = ({ position }: HtmlWriter, text: string): boolean =>
  position === 'office' && !text.endsWith('-') && isBareCondition(text)
