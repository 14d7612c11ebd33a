import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import { createBodyBuffer } from '@trestle/protocol'
import { onAbort } from '../base/on-abort.ts'
import type { Fault, Phase } from '../failure/fault.ts'
import type { ExchangeOptions, WireAnswer, WireRequest } from './exchange.ts'
import { closedEarly } from './first-connection.ts'
import type { Http2Session } from './http2-sessions.ts'

/**
 * Sends one request on an HTTP/2 connection and reads the response. The connection stays open.
 *
 * @param opened - The connection to use.
 * @param options - Size limits and the attempt's signal.
 */
export function exchangeHttp2(
  { session, address }: Http2Session,
  { method, url, headers, body }: WireRequest,
  { signal, maxAnswerBytes }: ExchangeOptions,
): Promise<WireAnswer | Fault> {
  return new Promise((resolve) => {
    let phase: Phase = 'upload'
    let stream: ClientHttp2Stream | undefined
    let answer: Pick<WireAnswer, 'status' | 'headers'> | undefined
    const buffer = createBodyBuffer(maxAnswerBytes)
    const settle = (result: WireAnswer | Fault): void => {
      stopListening()
      resolve(result)
    }
    const fail = (error: unknown): void => {
      stream?.close(constants.NGHTTP2_CANCEL)
      if (answer) settle({ ...answer, location: undefined, body: { fault: 'body', error }, address })
      else settle({ ...toFault(phase, error, stream), address })
    }
    const stopListening = onAbort(signal, () => fail(signal.reason))
    try {
      stream = session.request({
        ...headers,
        [constants.HTTP2_HEADER_METHOD]: method,
        [constants.HTTP2_HEADER_AUTHORITY]: url.host,
        [constants.HTTP2_HEADER_PATH]: url.pathname + url.search,
      })
    } catch (error) {
      // Nothing was sent: the connection closed after it was chosen.
      return settle({ fault: 'connect', error: refused(error), address })
    }
    stream.on('error', fail)
    stream.once('close', () => fail(closedEarly()))
    stream.once('response', (received) => {
      phase = 'headers'
      answer = { status: Number(received[constants.HTTP2_HEADER_STATUS]), headers: toPlainHeaders(received) }
    })
    stream.on('data', (chunk: Uint8Array) => {
      if (buffer.add(chunk) !== undefined) fail(new Error(`the response is larger than ${maxAnswerBytes} bytes`))
    })
    stream.once('end', () => {
      if (answer) settle({ ...answer, location: undefined, body: buffer.toBytes(), address })
    })
    stream.end(body)
  })
}

/**
 * Returns the fault of a failed request. A refused stream was not processed, as the protocol guarantees, so it is
 * reported like a refused connection.
 */
function toFault(phase: Phase, error: unknown, stream: ClientHttp2Stream | undefined): Fault {
  const isRefused = stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM
  return isRefused ? { fault: 'connect', error: refused(error) } : { fault: phase, error }
}

function refused(cause: unknown): Error {
  return Object.assign(new Error('the peer refused the request', { cause }), { code: 'ECONNREFUSED' })
}

function toPlainHeaders(received: IncomingHttpHeaders): WireAnswer['headers'] {
  return Object.fromEntries(Object.entries(received).filter(([name]) => !name.startsWith(':')))
}
