import { Annotation, type EditorState, type Transaction, type TransactionSpec } from '@codemirror/state'

/** Marks a change that the parent of the editor made, which must not be reported to it as an edit. */
const isOutside = Annotation.define<true>()

/** Returns the transaction that shows another text; undefined if the editor shows it, apart from line ends. */
export function toOutsideText({ doc }: EditorState, text: string): TransactionSpec | undefined {
  if (doc.toString() === text.replaceAll(/\r\n?/g, '\n')) return undefined
  return { changes: { from: 0, to: doc.length, insert: text }, annotations: isOutside.of(true) }
}

/** Returns whether the user changed the text. */
export function isEdit(transactions: readonly Transaction[]): boolean {
  return transactions.some((transaction) => transaction.docChanged && !transaction.annotation(isOutside))
}
