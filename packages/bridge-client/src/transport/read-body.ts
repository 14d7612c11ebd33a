import type { IncomingMessage } from 'node:http'
import { type BodyLimit, createBodyBuffer } from '@trestle/protocol'
import { onAbort } from '../base/on-abort.ts'
import type { Fault } from '../failure/fault.ts'

export interface BodyLimits {
  /** The maximum body size of a success, in bytes. */
  readonly maxAnswerBytes: number
  /** The maximum body size of a failure, in bytes; for a larger one, only the status is used. */
  readonly maxFailureBytes: number
}

/**
 * Reads a response body. Call it in the event that delivers the response.
 *
 * @param status - The response status; the limit is lower for failures than for successes.
 * @param options - The limits and the attempt's signal.
 */
export function readBody(
  response: IncomingMessage,
  status: number,
  options: BodyLimits & { readonly signal: AbortSignal },
): Promise<Uint8Array | Fault<'body'>> {
  const { signal, maxAnswerBytes, maxFailureBytes } = options
  const isSuccess = status >= 200 && status < 300
  const maxBytes = isSuccess ? maxAnswerBytes : Math.min(maxAnswerBytes, maxFailureBytes)
  return new Promise((resolve) => {
    const buffer = createBodyBuffer(maxBytes)
    const settle = (result: Uint8Array | Fault<'body'>): void => {
      stopListening()
      response.off('data', onData)
      resolve(result)
    }
    const fail = (error: unknown): void => settle({ fault: 'body', error })
    const onData = (chunk: Uint8Array): void => {
      const limit = buffer.add(chunk)
      if (limit !== undefined) fail(new Error(messages[limit](maxBytes)))
    }
    const stopListening = onAbort(signal, () => fail(signal.reason))
    response.on('error', fail)
    response.once('close', () => fail(new Error('the response ended early')))
    response.once('end', () => settle(buffer.toBytes()))
    response.on('data', onData)
  })
}

const messages: Readonly<Record<BodyLimit, (maxBytes: number) => string>> = {
  bytes: (maxBytes) => `the response is larger than ${maxBytes} bytes`,
  chunks: () => 'the response has too many small chunks',
}
