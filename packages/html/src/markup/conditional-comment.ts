/** A comment that Office and old browsers treat as a condition. */
export interface ConditionalComment {
  /** The text before the HTML: `[if mso]>`. */
  readonly head: string
  /** The HTML that only those clients display; it must be cleaned. */
  readonly html: string
  /** The end, without the comment's own end: `<![endif]`, `<!`, or nothing. */
  readonly tail: string
}

const condition = String.raw`\[\s*if\s[\w\s!()&|.,]+\]`
const head = new RegExp(`^${condition}>`, 'i')
const hiddenEnd = /(<!\[endif\])[\s-]*$/i
const end = /^\s*(?:<!)?\[endif\]\s*$/i
// The end of an inner comment: all clients show the text after it.
const shownToAll = /<!(?:--|-?\s*$)/
const emptyComment = /^(?:<!(?:--)?-?)?$/
const bare = new RegExp(String.raw`^(?:${condition}|\[endif\](?:--)?)$`, 'i')

/**
 * Splits a conditional comment: `<!--[if mso]>...<![endif]-->` hides HTML from all clients except Outlook,
 * `<!--[if !mso]><!-->` and similar comments start HTML that Outlook ignores, and `<!--<![endif]-->` ends either.
 *
 * @returns `undefined` for a comment that is not a condition.
 */
export function readConditionalComment(text: string): ConditionalComment | undefined {
  if (end.test(text)) return { head: text, html: '', tail: '' }
  const [start] = head.exec(text) ?? []
  if (start === undefined) return undefined
  const inner = text.slice(start.length)
  const hidden = hiddenEnd.exec(inner)
  const visibleMatch = shownToAll.exec(inner)
  if (hidden) return { head: start, html: inner.slice(0, hidden.index), tail: hidden[1] ?? '' }
  if (emptyComment.test(inner.trim())) return { head: text, html: '', tail: '' }
  if (!visibleMatch) return { head: start, html: inner, tail: '' }
  return { head: start, html: inner.slice(0, visibleMatch.index), tail: '<!' }
}

/**
 * Returns whether a declaration is a condition that browsers ignore: `<![if mso]>`, `<![endif]>`, `<![endif]-->`.
 */
export function isBareCondition(text: string): boolean {
  return bare.test(text)
}
