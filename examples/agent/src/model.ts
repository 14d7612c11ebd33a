/** What the model wants to do: say something, refund an order, or hand over to a person. */
export type Intent =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'refund'; readonly orderId: string }
  | { readonly type: 'hand-over'; readonly reason: string }

const script: readonly (readonly [pattern: RegExp, toIntent: (match: RegExpExecArray) => Intent])[] = [
  [/refund.*?(\d+)/i, ([, orderId = '']) => ({ type: 'refund', orderId })],
  [/human|person|complain/i, () => ({ type: 'hand-over', reason: 'The customer wants to talk to a person.' })],
  [
    /where.*?(\d+)/i,
    ([, orderId = '']) => ({ type: 'say', text: `Order ${orderId} is on its way. It arrives tomorrow.` }),
  ],
]

/**
 * Stands in for a language model: matches the message against patterns, so that the example needs no network and always
 * gives the same answers. A real app would call a model here, with the turn's signal.
 */
export function readIntent(text: string): Intent {
  for (const [pattern, toIntent] of script) {
    const match = pattern.exec(text)
    if (match) return toIntent(match)
  }
  return { type: 'say', text: 'I can tell you where an order is, or refund it. What is its number?' }
}

/** Yields a text in chunks, like a model. */
export async function* speak(text: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) {
    if (signal.aborted) return
    yield word
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
