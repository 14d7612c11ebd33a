import type { HtmlPosition } from '../base/html-position.ts'
import type { DroppedRegion } from './dropped-region.ts'
import { escapeMark } from './escape-mark.ts'
import type { RemovalLog } from './removals.ts'
import { createTagStack, type TagStack } from './tag-stack.ts'

/** HTML to be cleaned. */
export interface HtmlSource {
  readonly html: string
  readonly position: HtmlPosition
  /** Records removals. */
  readonly log: RemovalLog
  /** The offset of the HTML in the text whose positions are logged. */
  readonly offset: number
}

/** The text written so far. */
export interface HtmlWriter extends HtmlSource {
  out: string
  /** The end of the last written text; empty after a tag. */
  text: string
  /** What was removed since that text. */
  gap: '' | 'comment' | 'markup'
  /** The element that is being removed with its content. */
  region: DroppedRegion | undefined
  /** How to handle the next raw text. */
  raw: 'style' | 'text' | 'source' | 'data' | 'drop'
  /** The element with raw text that was written last and has no end tag yet. */
  openRaw: string
  /** For elements that hide all content after them: the end positions in `out` of unclosed start tags, by name. */
  hiding: Map<string, number[]> | undefined
  /** The number of open elements by name; only for names that can end an SVG or MathML element. */
  readonly open: Map<string, number> | undefined
  /** The position of the last end tag, by name; filled on demand. */
  lastEnds: Map<string, number> | undefined
  /** The open elements, if all of them must be closed. */
  readonly stack: TagStack | undefined
}

/** Creates an empty writer. */
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
 * Writes allowed markup.
 *
 * @param markup - A tag, a comment, or raw text; empty markup has no effect.
 */
export function emit(writer: HtmlWriter, markup: string): void {
  writer.out += markup
  if (markup === '') return
  writer.text = ''
  writer.gap = ''
}

/**
 * Writes text. A comment between two texts becomes an empty comment: without it, browsers would render the texts
 * slightly closer together. The same applies if joining the texts would create an entity.
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

/** Records that an element was opened or closed. */
export function countOpen({ open }: HtmlWriter, name: string, by: number): void {
  open?.set(name, Math.max(0, (open.get(name) ?? 0) + by))
}

/** Records an open element that hides all content after it until it is closed. */
export function noteHiding(writer: HtmlWriter, name: string): void {
  writer.hiding ??= new Map()
  const places = writer.hiding.get(name)
  if (places) places.push(writer.out.length)
  else writer.hiding.set(name, [writer.out.length])
}

/** Returns the position of an element's last end tag in the source; -1 if there is none. */
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

/**
 * Returns the cleaned HTML. Unclosed elements that would hide all content after them are closed right after their start
 * tag.
 */
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

/** Escapes text so that it starts no tag and does not end an enclosing comment. */
export function escapeText(text: string, position: HtmlPosition): string {
  const escaped = escapeMark(text, '<', position)
  return position === 'office' ? escapeMark(escaped, '>', position) : escaped
}
