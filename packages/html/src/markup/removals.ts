/** Something that was removed from HTML. */
export interface Removal {
  /** The kind; `url` is an attribute with an unsafe URL, `tag` a tag that is not closed at the end of the text. */
  readonly kind: 'element' | 'end-tag' | 'attribute' | 'url' | 'property' | 'at-rule' | 'rule' | 'style' | 'tag'
  /** The name: `script`, `onclick`, `behavior`, `@import`, `.selector`. */
  readonly name: string
  /** The line in the HTML, from 1. */
  readonly line: number
  /** The column in the line, from 1. */
  readonly column: number
}

/** Records removals. */
export interface RemovalLog {
  /** Returns the number of removals, including those that are not recorded. */
  count(): number
  /** Records a removal with its position in the HTML, in source order. */
  add(kind: Removal['kind'], name: string, at: number): void
  list(html: string): readonly Removal[]
}

const maxNoted = 50
const maxNameLength = 80

/** Creates an empty log that records the first 50 removals and counts the others. */
export function createRemovalLog(): RemovalLog {
  const noted: { readonly kind: Removal['kind']; readonly name: string; readonly at: number }[] = []
  let count = 0
  return {
    count: () => count,
    add(kind, name, at) {
      count++
      if (noted.length < maxNoted) noted.push({ kind, name, at })
    },
    list: (html) => {
      let [line, lineStart] = [1, 0]
      return noted.map(({ kind, name, at }) => {
        for (let end = html.indexOf('\n', lineStart); end >= 0 && end < at; end = html.indexOf('\n', lineStart)) {
          line++
          lineStart = end + 1
        }
        return { kind, name: shorten(name), line, column: at - lineStart + 1 }
      })
    },
  }
}

function shorten(name: string): string {
  const plain = name.slice(0, maxNameLength + 1).replace(/[\s\p{Cc}]+/gu, ' ')
  return plain.length > maxNameLength ? `${plain.slice(0, maxNameLength - 1)}…` : plain
}
