/** An attribute as written in the source, without decoding entities. */
export interface HtmlAttribute {
  readonly name: string
  /** The value without its quotes; `undefined` if there is none. */
  readonly value: string | undefined
}

export interface HtmlTag {
  readonly name: string
  /** The attributes in source order, including duplicates. */
  readonly attributes: readonly HtmlAttribute[]
  /** The end of the tag, such as `>` or `/>`. */
  readonly mark: string
  /** The position of its start in the source. */
  readonly at: number
  /** The position after it in the source. */
  readonly end: number
}

/** Callbacks of the tokenizer, in source order; `at` is a position in the source. */
export interface HtmlReader {
  /** Receives text, without decoding entities. */
  text(text: string): void
  /** Receives a start tag and returns whether its content is raw text up to its end tag. */
  start(tag: HtmlTag): 'raw' | undefined
  /** Receives the content of an element for whose start tag `raw` was returned; its end tag, if any, follows. */
  raw(text: string, at: number): void
  end(name: string, at: number): void
  /** Receives the content of `<!-- ... -->`. */
  comment(text: string, at: number): void
  /** Receives the content of a `<! ... >` that is not a comment, such as a doctype or an Office condition. */
  declaration(text: string): void
  /**
   * Receives a tag that is not closed at the end of the text; it is removed with everything after its opening quote.
   */
  unfinished(at: number): void
}

const letter = /[a-zA-Z]/
const placeholder = /<%\w{1,99}%>/y
const nameEnd = /[\t\n\f\r />]/g
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?/y
const tagEnd = /[\t\n\f\r /]*>/y
const commentEnd = /--!?>/g

/**
 * Splits HTML into tokens as browsers do, without building a tree. Unclosed tags are dropped.
 *
 * @source WHATWG HTML, section 13.2.5, "Tokenization".
 */
export function readHtml(html: string, reader: HtmlReader): void {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    const next = html[open + 1] ?? ''
    if (letter.test(next)) {
      if (open > at) reader.text(html.slice(at, open))
      at = readStart(html, open, reader)
    } else if (next === '/' || next === '!' || next === '?') {
      if (open > at) reader.text(html.slice(at, open))
      at = next === '/' ? readEnd(html, open, reader) : readDeclaration(html, open, reader)
    } else {
      // Includes the mark of a placeholder, so that the receiver recognizes it.
      placeholder.lastIndex = open
      const end = placeholder.test(html) ? placeholder.lastIndex : open + 1
      reader.text(html.slice(at, end))
      at = end
    }
  }
  if (at < html.length) reader.text(html.slice(at))
}

function readStart(html: string, open: number, reader: HtmlReader): number {
  const nameStop = find(nameEnd, html, open)
  if (nameStop < 0) return giveUp(html, open, reader)
  const name = html.slice(open + 1, nameStop)
  const attributes: HtmlAttribute[] = []
  let at = nameStop
  for (;;) {
    tagEnd.lastIndex = at
    if (tagEnd.test(html)) break
    attribute.lastIndex = at
    const match = attribute.exec(html)
    if (!match || attribute.lastIndex >= html.length || isUnclosed(html, attribute.lastIndex, match))
      return giveUp(html, open, reader)
    attributes.push({ name: match[1] ?? '', value: match[2] ?? match[3] ?? match[4] })
    at = attribute.lastIndex
  }
  const end = tagEnd.lastIndex
  if (reader.start({ name, attributes, mark: html.slice(at, end), at: open, end }) !== 'raw') return end
  const close = findClose(html, name, end)
  reader.raw(html.slice(end, close), end)
  return close
}

function giveUp(html: string, open: number, reader: HtmlReader): number {
  reader.unfinished(open)
  return html.length
}

/** Returns whether a tag is unclosed; if a quoted value never ends, the tag includes the rest of the text. */
function isUnclosed(html: string, at: number, [whole, , double, single, bare]: RegExpExecArray): boolean {
  const hasValue = double !== undefined || single !== undefined || bare !== undefined
  return !hasValue && /=[\t\n\f\r ]*$/.test(whole) && (html[at] === '"' || html[at] === "'")
}

function readEnd(html: string, open: number, reader: HtmlReader): number {
  const next = html[open + 2] ?? ''
  if (!letter.test(next)) {
    // `</>` is ignored, `</ x>` is a comment; both are dropped.
    const end = next === '' ? -1 : html.indexOf('>', open + 2)
    if (next === '') reader.text('</')
    return end < 0 ? html.length : end + 1
  }
  const stop = find(nameEnd, html, open + 2)
  if (stop < 0) return giveUp(html, open, reader)
  const name = html.slice(open + 2, stop)
  // Attributes of an end tag are parsed and ignored, so that a `>` in quotes does not end the tag.
  let at = stop
  for (;;) {
    tagEnd.lastIndex = at
    if (tagEnd.test(html)) break
    attribute.lastIndex = at
    const match = attribute.exec(html)
    if (!match || isUnclosed(html, attribute.lastIndex, match)) return giveUp(html, open, reader)
    at = attribute.lastIndex
  }
  const after = tagEnd.lastIndex
  reader.end(name, open)
  return after
}

function readDeclaration(html: string, open: number, reader: HtmlReader): number {
  if (html.startsWith('<!--', open)) {
    // `<!-->` and `<!--->` are empty comments.
    const short = /^<!---?>/.exec(html.slice(open, open + 6))
    if (short) {
      reader.comment('', open + 4)
      return open + short[0].length
    }
    const end = find(commentEnd, html, open + 4)
    // A local variable, because a callback may tokenize HTML too.
    const after = end < 0 ? html.length : commentEnd.lastIndex
    reader.comment(html.slice(open + 4, end < 0 ? html.length : end), open + 4)
    return after
  }
  const end = html.indexOf('>', open)
  if (html[open + 1] === '!') reader.declaration(html.slice(open + 2, end < 0 ? html.length : end))
  return end < 0 ? html.length : end + 1
}

function findClose(html: string, name: string, from: number): number {
  // A plaintext element has no end tag.
  if (/^plaintext$/i.test(name)) return html.length
  if (/^script$/i.test(name)) return findScriptEnd(html, from)
  const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  close.lastIndex = from
  const match = close.exec(html)
  return match ? match.index : html.length
}

/**
 * Returns the end of a script, which can contain whole scripts within what looks like a comment.
 *
 * @source WHATWG HTML, section 13.2.5.24, "Script data double escape start state".
 */
function findScriptEnd(html: string, from: number): number {
  const mark = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi
  let state: 'code' | 'comment' | 'script' = 'code'
  mark.lastIndex = from
  for (let match = mark.exec(html); match; match = mark.exec(html)) {
    if (match[0] === '-->') state = 'code'
    else if (match[0] === '<!--') {
      if (state === 'code') state = 'comment'
      // `<!-->` is a complete comment.
      mark.lastIndex -= 2
    } else if (match[1] !== '/') {
      if (state === 'comment') state = 'script'
    } else if (state !== 'script') return match.index
    else state = 'comment'
  }
  return html.length
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}
