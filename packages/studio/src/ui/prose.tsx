import type { ReactNode } from 'react'

/** Shows text, with parts in backticks as code. */
export function Prose({ text }: { readonly text: string }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their places
  return text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece))
}
