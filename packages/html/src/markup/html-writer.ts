import type { HtmlPosition } from '../base/html-position.ts'
import type { DroppedRegion } from './dropped-region.ts'
import { escapeMark } from './escape-mark.ts'
import type { RemovalLog } from './removals.ts'
import { createTagStack, type TagStack } from './tag-stack.ts'

/** HTML to be cleaned. */
export interface HtmlSource {
  readonly html: string
  readonly position: HtmlPosition
  /** Told what is left out. */
  readonly log: RemovalLog
  /** Where the HTML begins within what the log counts. */
  readonly offset: number
}

/** The text written so far. */
export interface HtmlWriter extends HtmlSource {
  out: string
  /** The end of the text that was written last; empty after a tag. */
  text: string
  /** Comments left out since that text. */
  gap: '' | 'comment' | 'markup'
  /** The element that is being dropped with all it holds. */
  region: DroppedRegion | undefined
  /** The fate of the raw text that is read next. */
  raw: 'style' | 'text' | 'source' | 'data' | 'drop'
  /** The element with raw text that was written last and has no end tag yet. */
  openRaw: string
  /** For elements that would hide all that follows, where the start tags without an end so far end in `out`. */
  hiding: Map<string, number[]> | undefined
  /** How many elements of a name are open; counted only where a drawing or a formula could end with one of them. */
  readonly open: Map<string, number> | undefined
  /** Where the last end tag of a name is; filled on demand. */
  lastEnds: Map<string, number> | undefined
  /** The elements that are open, where all have to be closed. */
  readonly stack: TagStack | undefined
}

/** Creates a writer that has written nothing yet. */
export function createHtmlWriter({ html, position, log, offset }: HtmlSource): HtmlWriter {
  return {
    html,
    position,
    log,
    offset,
    stack: position === 'inApp' ? createTagStack() : undefined,
    out: '',
    text: '',
    gap: '',
    region: undefined,
    raw: 'drop',
    openRaw: '',
    hiding: undefined,
    open: /<(?:svg|math)/i.test(html) ? new Map() : undefined,
    lastEnds: undefined,
  }
}

/**
 * Writes markup that may stay.
 *
 * @param markup - A tag, a comment, or raw text; what is empty changes nothing.
 */
export function emit(writer: HtmlWriter, markup: string): void {
  writer.out += markup
  if (markup === '') return
  writer.text = ''
  writer.gap = ''
}

/**
 * Writes text. A comment between two texts stays as an empty one: browsers set them apart from one another, to a fraction
 * of a pixel. So does what would make an entity of them if it went.
 */
export function writeText(writer: HtmlWriter, text: string): void {
  if (text === '') return
  const { position, gap, text: before } = writer
  const isApart =
    gap === 'comment' ? before !== '' && /\S/.test(before + text) : gap === 'markup' && joins(before, text)
  if (isApart && position !== 'office') writer.out += '<!-- -->'
  writer.out += escapeText(text, position)
  writer.text = text.slice(-40)
  writer.gap = ''
}

const joins = (before: string, after: string): boolean => /&[#\w]*$/.test(before) && /^[#\w;]/.test(after)

/** Notes that an element was opened or closed. */
export function countOpen({ open }: HtmlWriter, name: string, by: number): void {
  open?.set(name, Math.max(0, (open.get(name) ?? 0) + by))
}

/** Notes that an element was opened that hides all that follows until it is closed. */
export function noteHiding(writer: HtmlWriter, name: string): void {
  writer.hiding ??= new Map()
  const places = writer.hiding.get(name)
  if (places) places.push(writer.out.length)
  else writer.hiding.set(name, [writer.out.length])
}

/** Returns where the last end tag of an element is in the source; -1 without one. */
export function lastEnd(writer: HtmlWriter, name: string): number {
  writer.lastEnds ??= new Map()
  let last = writer.lastEnds.get(name)
  if (last === undefined) {
    last = -1
    for (const { index } of writer.html.matchAll(new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi'))) last = index
    writer.lastEnds.set(name, last)
  }
  return last
}

/** Returns what was written, with elements that would hide all that follows closed where they begin. */
export function finish({ out, hiding }: HtmlWriter): string {
  if (!hiding) return out
  const places = [...hiding].flatMap(([name, ends]) => ends.map((at) => ({ name, at })))
  let html = ''
  let start = 0
  for (const { name, at } of places.sort((one, other) => one.at - other.at)) {
    html += `${out.slice(start, at)}</${name}>`
    start = at
  }
  return html + out.slice(start)
}

/** Returns text so that no tag begins in it and, within a comment, that it does not end it. */
export function escapeText(text: string, position: HtmlPosition): string {
  const escaped = escapeMark(text, '<', position)
  return position === 'office' ? escapeMark(escaped, '>', position) : escaped
}
