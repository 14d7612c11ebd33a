import { replyLimits } from '../../agent/reply-limits.ts'

/** Displays the text of a stream. */
export interface StreamPort {
  /** Displays the text so far: sends the message first, and then edits it. */
  readonly show: (text: string) => Promise<void>
  /** Returns whether the turn is still active. */
  readonly isOpen: () => boolean
  /** The minimum time between two updates, in milliseconds. @default 500 */
  readonly everyMs?: number
}

/**
 * Displays a text stream as it grows: the first chunk immediately, then updates at a limited rate, and finally the
 * whole text. Only the first and last update must succeed; a failed update is corrected by the next one. If the stream
 * fails, the text so far is displayed before the error is thrown.
 *
 * @param parts - The text chunks; a surrogate pair can be split between two of them.
 * @throws TypeError - A chunk is not a string, the whole text is too long, or there is none.
 * @throws The error of the stream, or of the first or last update.
 */
export async function streamReply(parts: AsyncIterable<string>, port: StreamPort): Promise<void> {
  const { show, isOpen, everyMs = 500 } = port
  const pause = createPause(everyMs)
  let text = ''
  let displayedText = ''
  let isWhole = false
  let failure: { readonly error: unknown } | undefined
  let showing: Promise<void> | undefined
  const showOnce = async (next: string, mustSucceed: boolean): Promise<void> => {
    try {
      await show(next)
      displayedText = next
    } catch (error) {
      if (mustSucceed) failure = { error }
    }
  }
  const showGrowing = async (): Promise<void> => {
    let tried = ''
    for (let next = toShown(text); next !== tried && !failure && !pause.over; next = toShown(text)) {
      tried = next
      await showOnce(next, displayedText === '')
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
    if (!failure && last !== displayedText && last.trim() !== '') await showOnce(last, true)
  }
  if (failure) throw failure.error
  if (text.trim() === '') throw new TypeError('A reply needs text; the stream ended without any.')
}

interface Pause {
  readonly over: boolean
  wait(): Promise<void>
  end(): void
}

/** Creates a reusable pause that can be ended permanently. */
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
 * Returns a text that can be sent. An unpaired surrogate at the end waits for the next chunk; characters that cannot be
 * stored (unpaired surrogates and U+0000) are replaced with U+FFFD.
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
