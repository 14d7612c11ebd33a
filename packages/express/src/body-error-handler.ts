import type { ErrorRequestHandler } from 'express'

/** A body-parser error, as created by http-errors. */
interface ParserError {
  readonly type?: unknown
  readonly status?: unknown
  readonly limit?: unknown
  readonly message?: unknown
}

/**
 * Handles errors from a body parser that runs before the bridge: converts its 400 and 413 errors to the JSON that the
 * service expects. Passes other errors to the next error handler. Mount it after the bridge.
 *
 * @example
 * app.use('/api/bridge', bodyErrorHandler)
 */
// biome-ignore lint/complexity/useMaxParams: Express detects error handlers by their four parameters.
export const bodyErrorHandler: ErrorRequestHandler = (
  error: ParserError | null | undefined,
  _request,
  response,
  next,
) => {
  const reply = typeof error?.type === 'string' && !response.headersSent ? toReply(error) : undefined
  if (!reply) return next(error)
  response
    .status(reply.status)
    .set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(reply.body))
}

function toReply({
  status,
  limit,
  message,
}: ParserError): { readonly status: number; readonly body: object } | undefined {
  if (status === 413) {
    const text =
      typeof limit === 'number'
        ? `The body is larger than ${limit} bytes, the limit of a body parser in front of the bridge.`
        : `A body parser in front of the bridge rejected the body: ${String(message)}`
    return { status, body: { code: 'PayloadTooLarge', message: text, data: { limit, source: 'body parser' } } }
  }
  if (status !== 400) return undefined
  const text = `A body parser in front of the bridge rejected the body: ${String(message)}`
  return {
    status,
    body: { code: 'RequestBodyInvalidError', message: text, data: [{ path: '', message: String(message) }] },
  }
}
