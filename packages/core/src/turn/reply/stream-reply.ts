import { replyLimits } from '../../agent/reply-limits.ts'

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
 * always. Only the first showing and the last must succeed; one in between is made good by the next. A stream that fails
 * shows what it brought before its failure is thrown.
 *
 * @param parts - The parts of the text; a character may be cut between two of them.
 * @param port - Where it is shown.
 * @throws TypeError - A part is not a text, the whole is too long, or there is none.
 * @throws What the stream, the first showing or the last fails with.
 */
export async function streamReply(parts: AsyncIterable<string>, port: StreamPort): Promise<void> {
  const { show, isOpen, everyMs = 500 } = port
  const pause = createPause(everyMs)
  let text = ''
  let shown = ''
  let isWhole = false
  let failure: { readonly error: unknown } | undefined
  let showing: Promise<void> | undefined
  const showOnce = async (next: string, mustSucceed: boolean): Promise<void> => {
    try {
      await show(next)
      shown = next
    } catch (error) {
      if (mustSucceed) failure = { error }
    }
  }
  const showGrowing = async (): Promise<void> => {
    let tried = ''
    for (let next = toShown(text); next !== tried && !failure && !pause.over; next = toShown(text)) {
      tried = next
      await showOnce(next, shown === '')
      await pause.wait()
    }
    showing = undefined
  }
  try {
    for await (const part of parts) {
      text = append(text, part)
      if (failure || !isOpen()) break
      if (!showing && toShown(text).trim() !== '') showing = showGrowing()
    }
    isWhole = true
  } finally {
    pause.end()
    await showing
    const last = toShown(text, isWhole)
    if (!failure && last !== shown && last.trim() !== '') await showOnce(last, true)
  }
  if (failure) throw failure.error
  if (text.trim() === '') throw new TypeError('A reply needs text; the stream ended without any.')
}

interface Pause {
  readonly over: boolean
  wait(): Promise<void>
  end(): void
}

/** Creates a pause that can be taken again and again, until it is ended for good. */
function createPause(lengthMs: number): Pause {
  let over = false
  let wake: () => void = () => undefined
  return {
    get over() {
      return over
    },
    wait: () =>
      new Promise((resolve) => {
        if (over) return resolve()
        const timer = setTimeout(resolve, lengthMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end() {
      over = true
      wake()
    },
  }
}

/**
 * Returns a text as it can be sent: half a character at its end waits for the other half, and what no service stores,
 * half characters and U+0000, shows as U+FFFD, as where a model was cut off.
 */
function toShown(text: string, isWhole = false): string {
  const whole = isWhole ? text : text.replace(/[\ud800-\udbff]$/, '')
  return whole.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\ufffd')
}

function append(text: string, part: unknown): string {
  if (typeof part !== 'string') throw new TypeError(`A chunk of a streamed reply must be a string; got ${typeof part}.`)
  if (text.length + part.length > replyLimits.text)
    throw new TypeError(`A streamed reply has more than ${replyLimits.text} characters.`)
  return text + part
}
