import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { splitPointer } from '@trestle/protocol'

/** A problem at a position in the text. */
export interface CodeMark {
  /** The line, starting at 1. */
  readonly line: number
  /** The column, starting at 1. */
  readonly column?: number | undefined
  readonly message: string
}

/** A problem of a JSON value. */
export interface JsonIssue {
  /** JSON pointer of the value; empty for the whole value. */
  readonly path: string
  readonly message: string
}

type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode']

/**
 * Returns where each problem is in the text. A missing field is reported at the start of its object.
 *
 * @param text - The JSON text.
 */
export function toMarks(
  text: string,
  issues: readonly JsonIssue[],
): readonly (CodeMark & { readonly column: number })[] {
  const lines = Text.of(text.split('\n'))
  const top = jsonLanguage.parser.parse(text).topNode.firstChild
  return issues.map(({ path, message }) => {
    const offset = top === null ? 0 : findOffset(text, top, splitPointer(path))
    const line = lines.lineAt(offset)
    return { line: line.number, column: offset - line.from + 1, message }
  })
}

function findOffset(text: string, top: Node, names: readonly string[]): number {
  let [value, offset] = [top, top.from]
  for (const name of names) {
    const part = value.name === 'Object' ? findProperty(text, value, name) : itemsOf(value)[Number(name)]
    const next = part?.name === 'Property' ? part.lastChild : part
    if (!part || !next) break
    value = next
    offset = part.from
  }
  return offset
}

const separators: ReadonlySet<string> = new Set(['[', ',', ']'])

function itemsOf(array: Node): readonly Node[] {
  const items: Node[] = []
  for (let node = array.firstChild; node; node = node.nextSibling) if (!separators.has(node.name)) items.push(node)
  return array.name === 'Array' ? items : []
}

function findProperty(text: string, object: Node, name: string): Node | undefined {
  return object
    .getChildren('Property')
    .findLast(({ firstChild: key }) => key !== null && JSON.parse(text.slice(key.from, key.to)) === name)
}
