import { isVoid } from './html-policy.ts'

/** The elements that are open while balanced HTML is written. */
export interface TagStack {
  /**
   * Opens an element, after closing those that a browser would close before it.
   *
   * @returns The end tags to write before it; `undefined` if the element is not allowed here and is removed.
   */
  open(name: string): string | undefined
  /**
   * Closes an element and all elements within it.
   *
   * @returns The end tags to write; empty for an end tag without a start tag.
   */
  close(name: string): string
  /** Returns the end tags of all open elements. */
  closeAll(): string
}

const maxDepth = 250
const words = (text: string): readonly string[] => text.split(' ')
const tableParts = words('caption colgroup col thead tbody tfoot tr td th')
const sections = words('thead tbody tfoot')
const headings = words('h1 h2 h3 h4 h5 h6')
const outer = words('table td th caption')
const endsParagraph = new Set([
  ...words('address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form'),
  ...words('header hgroup hr li main menu nav ol p pre search section summary table ul'),
  ...headings,
])
/** The parents that an element requires, and the open elements that a browser closes before it. */
const homes: Readonly<Record<string, { readonly within: readonly string[]; readonly siblings: readonly string[] }>> = {
  li: { within: words('ul ol menu dir'), siblings: ['li'] },
  dt: { within: ['dl'], siblings: words('dt dd') },
  dd: { within: ['dl'], siblings: words('dt dd') },
}
const rows: Readonly<Record<string, readonly string[]>> = {
  col: ['colgroup', 'table'],
  tr: [...sections, 'table'],
  td: ['tr', ...sections, 'table'],
  th: ['tr', ...sections, 'table'],
}

/**
 * Creates an empty stack. HTML written through it stays within its parent element: every start tag has an end tag and
 * vice versa, and list items and table parts are inside a list or table.
 *
 * @source WHATWG HTML, section 13.2.6.4.7, 'The "in body" insertion mode'.
 */
export function createTagStack(): TagStack {
  const open: string[] = []
  const closeTo = (depth: number): string => {
    const ended = open.splice(depth)
    return ended.reverse().reduce((text, name) => `${text}</${name}>`, '')
  }
  /**
   * Returns the depth of the innermost of the named elements, without searching beyond the limiting ones; -1 if there
   * is none.
   */
  const find = (names: readonly string[], limits: readonly string[]): number => {
    for (let index = open.length - 1; index >= 0; index--) {
      const name = open[index] ?? ''
      if (names.includes(name)) return index
      if (limits.includes(name)) return -1
    }
    return -1
  }
  const closeFor = (name: string): string | undefined => {
    if (tableParts.includes(name)) {
      const table = find(rows[name] ?? ['table'], ['table'])
      return table < 0 ? undefined : closeTo(table + 1)
    }
    // A table directly inside a table, not inside a cell, ends the outer table.
    if (name === 'table') {
      const around = find(['table'], words('td th caption'))
      return around < 0 ? closeInner(['p']) : closeTo(around)
    }
    const home = homes[name]
    if (home) {
      const around = find(home.within, outer)
      const sibling = find(home.siblings, [...home.within, ...outer])
      if (around < 0) return undefined
      if (sibling > around) return closeTo(sibling)
    }
    if (name === 'a' || name === 'nobr') return closeInner([name])
    const ends = endsParagraph.has(name) ? closeInner(['p']) : ''
    // Also closes a heading that stayed open only because of a paragraph inside it.
    return headings.includes(name) && headings.includes(open.at(-1) ?? '') ? ends + closeTo(open.length - 1) : ends
  }
  const closeInner = (names: readonly string[]): string => {
    const index = find(names, outer)
    return index < 0 ? '' : closeTo(index)
  }
  return {
    open(name) {
      if (open.length >= maxDepth && !isVoid(name)) return undefined
      const ends = closeFor(name)
      if (ends !== undefined && !isVoid(name)) open.push(name)
      return ends
    },
    close(name) {
      const isPart = name === 'table' || tableParts.includes(name)
      const limits = isPart ? ['table'] : name === 'li' ? [...outer, 'ul', 'ol'] : outer
      const index = find([name], limits)
      return index < 0 ? '' : closeTo(index)
    },
    closeAll: () => closeTo(0),
  }
}
