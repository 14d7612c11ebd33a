import { ApiError } from '../error/error.ts'

/** The text of a response. */
export interface BodyText {
  /** The body, decoded as UTF-8. */
  readonly text: string
  /** Whether the body was too long or incomplete; `text` is then its start. */
  readonly isCut: boolean
}

/** How much of a body is read. */
export interface BodyLimits {
  readonly maxBytes: number
  /** Whether a body that is too long or incomplete is truncated instead of causing an error. */
  readonly mayCut: boolean
  /** Stops reading, even if the source of the body ignores it. */
  readonly signal?: AbortSignal
}

const firstCapacity = 16 * 1024

/**
 * Reads a response body into one growing buffer, so that many small chunks need no more memory than their bytes.
 *
 * @throws ApiError - `AnswerTooLarge`.
 */
export async function readBody(response: Response, limits: BodyLimits): Promise<BodyText> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isCut: false }
  const stop = (): void => void reader.cancel().catch(() => {})
  limits.signal?.addEventListener('abort', stop, { once: true })
  if (limits.signal?.aborted) stop()
  let held = new Uint8Array(firstCapacity)
  let size = 0
  let isCut = false
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const value: unknown = part.value
      if (!isBytes(value)) throw notBytes(response)
      isCut = size + value.byteLength > limits.maxBytes
      if (isCut && !limits.mayCut) throw tooLarge(response, limits.maxBytes)
      const fitting = isCut ? value.subarray(0, limits.maxBytes - size) : value
      held = grow(held, size + fitting.byteLength)
      held.set(fitting, size)
      size += fitting.byteLength
      if (isCut) break
    }
  } catch (error) {
    if (!limits.mayCut || error instanceof ApiError) throw error
    isCut = true
  } finally {
    // Cancels the rest of the body; a complete body has nothing left to cancel.
    stop()
    limits.signal?.removeEventListener('abort', stop)
  }
  return { text: new TextDecoder().decode(held.subarray(0, size)), isCut }
}

function grow(held: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= held.byteLength) return held
  const larger = new Uint8Array(Math.max(size, held.byteLength * 2))
  larger.set(held)
  return larger
}

/** Accepts bytes of any realm: an edge runtime has its own `Uint8Array`. */
function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}

function notBytes({ status }: Response): ApiError {
  return new ApiError('AnswerUnreadable', 'The response body is not a byte stream: check the option fetch.', {
    status,
  })
}

function tooLarge({ status }: Response, maxBytes: number): ApiError {
  const hint = 'Request smaller pages, or raise maxAnswerBytes.'
  return new ApiError('AnswerTooLarge', `The response is larger than ${maxBytes} bytes. ${hint}`, { status })
}
