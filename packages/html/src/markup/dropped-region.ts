/** An element that is being removed together with its content. */
export interface DroppedRegion {
  /**
   * Processes a start tag.
   *
   * @param isSelfClosing - Whether it ends in `/>`.
   * @returns Whether the tag is within the element; otherwise, a browser would have closed the element before it.
   */
  start(name: string, isSelfClosing: boolean): boolean
  /**
   * Processes an end tag.
   *
   * @returns `within` if it is inside the element, `last` if it ends the element, or `outside` if it ends an enclosing
   * element.
   */
  end(name: string): 'within' | 'last' | 'outside'
  /** Returns whether its content is parsed as HTML, in which some elements have raw text. */
  isHtml(): boolean
}

// HTML elements that end SVG or MathML.
const breakouts = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var font a td th tr'
  ).split(' '),
)
// SVG and MathML elements that contain HTML.
const htmlHolders = new Set('foreignobject desc title mi mo mn ms mtext annotation-xml'.split(' '))

/** Returns whether an element is SVG or MathML, which an HTML element closes. */
export function isForeign(name: string): boolean {
  return name === 'svg' || name === 'math'
}

/**
 * Starts removing an element.
 *
 * @param around - Whether the element has an end tag, and whether an enclosing element with a given name is open.
 * @source WHATWG HTML, section 13.2.6.5, "The rules for parsing tokens in foreign content".
 */
export function createDroppedRegion(
  name: string,
  { isClosed, isOpen }: { readonly isClosed: boolean; readonly isOpen: (name: string) => boolean },
): DroppedRegion {
  const foreign = isForeign(name)
  const open = new Map<string, number>([[name, 1]])
  let holders = 0
  const isHtml = (): boolean => !foreign || holders > 0
  const change = (tag: string, by: number): void => {
    open.set(tag, (open.get(tag) ?? 0) + by)
    if (foreign && htmlHolders.has(tag)) holders += by
  }
  return {
    isHtml,
    start(tag, isSelfClosing) {
      // Without an end tag, an element that contains HTML would contain the rest of the email.
      if ((!isHtml() || (foreign && !isClosed)) && breakouts.has(tag)) return false
      if (!isSelfClosing) change(tag, 1)
      return true
    },
    end(tag) {
      if ((open.get(tag) ?? 0) > 0) {
        change(tag, -1)
        return tag === name && open.get(tag) === 0 ? 'last' : 'within'
      }
      if (!foreign) return 'within'
      const ends = isOpen(tag) || (!isHtml() && (tag === 'p' || tag === 'br'))
      return ends ? 'outside' : 'within'
    },
  }
}
