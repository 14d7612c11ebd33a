import { cleanSheet } from './css/clean-css.ts'
import { isBareCondition, readConditionalComment } from './html/conditional-comment.ts'
import { createDroppedRegion, type DroppedRegion } from './html/dropped-region.ts'
import { isDataScript, writeData } from './html/head-elements.ts'
import { type HtmlPosition, isRawText, isVoid, showsSource, tagFate } from './html/html-policy.ts'
import { type HtmlTag, readHtml } from './html/html-tokens.ts'
import { createRemovalLog, type Removal, type RemovalLog } from './html/removals.ts'
import { createTagStack, type TagStack } from './html/tag-stack.ts'
import { writeTag } from './html/write-tag.ts'

/** HTML without what runs, and what that was. */
export interface CleanHtml {
  /** The HTML. */
  readonly html: string
  /** What was taken out, in source order: the first 50. Comments are not listed. */
  readonly removed: readonly Removal[]
  /** How much was taken out. */
  readonly removedCount: number
}

/**
 * Takes out of HTML what runs code, and tells what that was. What is left is written anew, tag by tag, and never edited
 * after: every `<` of the result begins a tag that was allowed.
 *
 * @param html - The HTML.
 * @param position - Where it is shown.
 */
export function cleanHtml(html: string, position: HtmlPosition): CleanHtml {
  if (!html.includes('<')) return { html, removed: [], removedCount: 0 }
  const log = createRemovalLog()
  const clean = write({ html, position, log, offset: 0 })
  return { html: clean, removed: log.list(html), removedCount: log.count }
}

interface Source {
  readonly html: string
  readonly position: HtmlPosition
  readonly log: RemovalLog
  /** Where the HTML begins within what the log counts. */
  readonly offset: number
}

interface Writer extends Source {
  out: string
  /** The end of the text that was written last; empty after a tag. */
  text: string
  /** What was left out since that text. */
  gap: '' | 'comment' | 'markup'
  /** The element that is being dropped with all it holds. */
  region: DroppedRegion | undefined
  /** What becomes of the raw text that is read next. */
  raw: 'style' | 'text' | 'source' | 'data' | 'drop'
  /** How many elements of a name are open. */
  readonly open: Map<string, number>
  /** Where the last end tag of a name is; filled on demand. */
  readonly lastEnds: Map<string, number>
  readonly stack: TagStack | undefined
}

function write(source: Source): string {
  const stack = source.position === 'inApp' ? createTagStack() : undefined
  const fields = { out: '', text: '', gap: '', region: undefined, raw: 'drop' } as const
  const writer: Writer = { ...source, ...fields, open: new Map(), lastEnds: new Map(), stack }
  const { log, offset } = source
  readHtml(source.html, {
    text: (text) => void (writer.region || writeText(writer, text)),
    start: (tag) => writeStart(writer, tag),
    raw: (text, at) => writeRaw(writer, text, at),
    end: (name, at) => writeEnd(writer, name, at),
    comment: (text, at) => void (writer.region || writeComment(writer, text, at)),
    declaration: (text) => void (writer.region || writeDeclaration(writer, text)),
    unfinished: (at) => log.add('tag', /^<\/?[^\s/>]+/.exec(source.html.slice(at, at + 80))?.[0] ?? '<', offset + at),
  })
  return writer.out + (stack?.closeAll() ?? '')
}

function emit(writer: Writer, markup: string): void {
  writer.out += markup
  if (markup !== '') Object.assign(writer, { text: '', gap: '' })
}

/** A comment between two texts keeps them apart, and so does what would make an entity of them if it went. */
function writeText(writer: Writer, text: string): void {
  const { position, gap, text: before } = writer
  const isApart = gap === 'comment' ? /\S$/.test(before) && /^\S/.test(text) : gap === 'markup' && joins(before, text)
  if (isApart && position !== 'office') writer.out += '<!-- -->'
  writer.out += escapeText(text, position)
  writer.text = text.slice(-40)
  writer.gap = ''
}

const joins = (before: string, after: string): boolean => /&[#\w]*$/.test(before) && /^[#\w;]/.test(after)

function writeStart(writer: Writer, tag: HtmlTag): 'raw' | undefined {
  const { position, log, offset } = writer
  const name = tag.name.toLowerCase()
  const isRaw = isRawText(name, position)
  const isSelfClosing = tag.mark.includes('/')
  if (writer.region?.start(name, isSelfClosing || isVoid(name) || isRaw)) {
    writer.raw = 'drop'
    return isRaw && writer.region.isHtml() ? 'raw' : undefined
  }
  writer.region = undefined
  const fate = tagFate(name, position)
  writer.raw = 'drop'
  if (fate === 'keep') keepStart(writer, tag, name)
  else if (name === 'script' && position === 'email' && isDataScript(tag.attributes)) writer.raw = 'data'
  else {
    log.add('element', name, offset + tag.at)
    writer.gap ||= 'markup'
    if (showsSource(name)) writer.raw = 'source'
    if (fate === 'drop' && !isRaw && !isSelfClosing && lastEnd(writer, name) > tag.at)
      writer.region = createDroppedRegion(name, (around) => (writer.open.get(around) ?? 0) > 0)
  }
  return isRaw ? 'raw' : undefined
}

function keepStart(writer: Writer, tag: HtmlTag, name: string): void {
  const ends = writer.stack ? writer.stack.open(name) : ''
  if (ends === undefined) {
    writer.log.add('element', name, writer.offset + tag.at)
    writer.gap ||= 'markup'
    return
  }
  emit(writer, ends + writeTag(tag, writer))
  if (!isVoid(name)) writer.open.set(name, (writer.open.get(name) ?? 0) + 1)
  writer.raw = name === 'style' ? 'style' : 'text'
}

/** An element without an end tag takes nothing with it but its own tag. */
function lastEnd({ html, lastEnds }: Writer, name: string): number {
  let last = lastEnds.get(name)
  if (last === undefined) {
    last = -1
    for (const { index } of html.matchAll(new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi'))) last = index
    lastEnds.set(name, last)
  }
  return last
}

function writeRaw(writer: Writer, text: string, at: number): void {
  const { raw, position, log, offset } = writer
  if (raw === 'source') writeText(writer, text.replaceAll('&', '&amp;'))
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

function writeEnd(writer: Writer, source: string, at: number): void {
  const name = source.toLowerCase()
  if (writer.region) {
    const place = writer.region.end(name)
    if (place !== 'within') writer.region = undefined
    if (place !== 'outside') return
  }
  const { position, stack, open, log, offset } = writer
  writer.raw = 'drop'
  if (tagFate(name, position) !== 'keep') {
    writer.gap ||= 'markup'
    return
  }
  open.set(name, Math.max(0, (open.get(name) ?? 0) - 1))
  const ends = stack ? stack.close(name) : `</${source}>`
  if (ends === '') {
    log.add('end-tag', name, offset + at)
    writer.gap ||= 'markup'
  }
  emit(writer, ends)
}

/** Keeps a condition of Office; what it hides from others is cleaned like everything else. */
function writeComment(writer: Writer, text: string, at: number): void {
  const condition = writer.position === 'email' ? readConditionalComment(text) : undefined
  if (!condition) {
    writer.gap = 'comment'
    return
  }
  const { head, html, tail } = condition
  const inner = { html, position: 'office' as const, log: writer.log, offset: writer.offset + at + head.length }
  emit(writer, `<!--${head}${html === '' ? '' : write(inner)}${tail}-->`)
}

const doctype = /^doctype\s+html[\w\s"'/.:-]*$/i

function writeDeclaration(writer: Writer, text: string): void {
  const isKept =
    writer.position === 'email' ? doctype.test(text) || isBareCondition(text) : isOfficeCondition(writer, text)
  if (isKept) emit(writer, `<!${text}>`)
  else writer.gap ||= 'comment'
}

const isOfficeCondition = ({ position }: Writer, text: string): boolean =>
  position === 'office' && !text.endsWith('-') && isBareCondition(text)

/** Within a comment no text may end it. */
function escapeText(text: string, position: HtmlPosition): string {
  const escaped = text.includes('<') ? text.replaceAll('<', '&lt;') : text
  return position === 'office' && escaped.includes('>') ? escaped.replaceAll('>', '&gt;') : escaped
}
