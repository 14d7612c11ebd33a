/** What the model wants: to say something, or to have something done. */
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
 * Stands in for a language model: reads the message by patterns, so that the example needs no network and says the same
 * each time. A real one is asked here, with the signal of the turn.
 */
export function readIntent(text: string): Intent {
  for (const [pattern, toIntent] of script) {
    const match = pattern.exec(text)
    if (match) return toIntent(match)
  }
  return { type: 'say', text: 'I can tell you where an order is, or refund it. What is its number?' }
}

/** Says a text as a model does, in parts. */
export async function* speak(text: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) {
    if (signal.aborted) return
    yield word
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
