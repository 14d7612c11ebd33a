import { maxTextLength } from './wire-content.ts'

/** How the text of a stream is shown. */
export interface StreamPort {
  /** Shows the text so far, in a message that is sent first and edited from then on. */
  readonly show: (text: string) => Promise<void>
  /** Returns whether anybody still wants the text. */
  readonly isOpen: () => boolean
  /** The shortest time between two showings, in milliseconds. @default 500 */
  readonly everyMs?: number
}

/**
 * Shows a text that comes in parts while it grows: the first part at once, then at a bounded rate, the whole text
 * always. A stream that fails shows what it brought before its failure is thrown.
 *
 * @param parts - The parts of the text.
 * @param port - Where it is shown.
 * @throws TypeError - A part is not a text, the whole is too long, or there is none.
 * @throws What the stream or a showing fails with.
 */
export async function streamReply(parts: AsyncIterable<string>, port: StreamPort): Promise<void> {
  const { show, isOpen, everyMs = 500 } = port
  let text = ''
  let shown = ''
  let ended = false
  let wake: () => void = () => undefined
  let failure: { readonly error: unknown } | undefined
  let showing: Promise<void> | undefined
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      if (ended) return resolve()
      const timer = setTimeout(resolve, everyMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const showAll = async (): Promise<void> => {
    while (text !== shown && text.trim() !== '' && !failure) {
      const next = text
      await show(next)
      shown = next
      await pause()
    }
  }
  const start = (): void => {
    showing ??= showAll()
      .catch((error: unknown) => {
        failure = { error }
      })
      .finally(() => {
        showing = undefined
      })
  }
  try {
    for await (const part of parts) {
      text = append(text, part)
      if (failure || !isOpen()) break
      start()
    }
  } finally {
    ended = true
    wake()
    await showing
  }
  if (failure) throw failure.error
  if (text.trim() === '') throw new TypeError('A reply needs a text; the stream ended without one.')
}

function append(text: string, part: unknown): string {
  if (typeof part !== 'string') throw new TypeError(`A part of a streamed reply must be a text; got ${typeof part}.`)
  if (text.length + part.length > maxTextLength)
    throw new TypeError(`A streamed reply has more than ${maxTextLength} characters.`)
  return text + part
}
