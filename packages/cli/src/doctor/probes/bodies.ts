import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'
import { describeAnswer, harmlessQuery, type ProbeAnswer, type ProbeRequest, send } from '../base/send.ts'

const skip = ({ reply }: ProbeContext): string | undefined =>
  reply === undefined ? 'signed calls are not answered' : undefined
const post = (context: ProbeContext, request: ProbeRequest): Promise<ProbeAnswer | undefined> =>
  send(context, { method: 'POST', query: harmlessQuery, ...request })
const isThrough = (answer: ProbeAnswer | undefined): boolean =>
  answer === undefined || (answer.status === 404 && answer.code === 'WorkflowNotFoundError')

/** Request bodies whose bytes would change if a program parsed and reserialized them. */
const forms: readonly (readonly [what: string, body: string])[] = [
  ['compact JSON', '{"payload":{"a":1}}'],
  ['JSON with spaces', '{ "payload": { "a": 1 } }'],
  ['JSON with 1.0 and an escaped letter', '{"payload":{"a":1.0,"b":"\\u00e9"}}'],
]

/** Sends bodies in several formats, each signed exactly as sent. */
export const rawBody: Probe = {
  name: 'raw-body',
  title: 'verifies the raw bytes of the body',
  skip,
  async run(context): Promise<readonly Finding[]> {
    for (const [what, body] of forms) {
      const answer = await post(context, { body })
      if (isThrough(answer) || answer?.status === 405 || (answer?.status === 404 && answer.code === undefined)) continue
      if (answer?.code === 'SignatureMismatchError')
        return [
          createFinding('raw-body', {
            code: 'SignatureMismatchError',
            message: `GET calls are verified, but a POST of ${what} ${describeAnswer(answer)}.`,
            cause:
              'Middleware or a proxy, such as express.json(), parses the body and forwards different bytes than were signed.',
            fix: 'Mount the bridge before body parsers, or keep the raw body: express.json({ verify: (request, _response, buffer) => { request.rawBody = buffer } }).',
          }),
        ]
      return [createFinding('raw-body', toUnexpected(answer, `A signed POST of ${what}`))]
    }
    return []
  },
}

/** Uses the error code in the response, otherwise the code for its status. */
function toUnexpected(answer: ProbeAnswer | undefined, what: string) {
  const byStatus: Readonly<Record<number, string>> = {
    401: 'BridgeAuthenticationFailed',
    404: 'BridgeEndpointUnavailable',
    405: 'BridgeMethodNotConfigured',
    413: 'PayloadTooLarge',
    502: 'BridgeEndpointNotFound',
  }
  const status = answer?.status ?? 0
  const code = answer?.code ?? byStatus[status] ?? (status < 300 ? 'ResponseParseError' : 'UnknownBridgeRequestError')
  return { code, message: `${what} ${describeAnswer(answer)}; it must be 404 WorkflowNotFoundError.` }
}

/** Sends a signed POST without a content type. */
export const contentType: Probe = {
  name: 'content-type',
  title: 'accepts signed calls without a content type',
  skip: (context) => (context.isOpen ? 'strict authentication is off' : skip(context)),
  async run(context): Promise<readonly Finding[]> {
    const answer = await post(context, { body: '{}', headers: { 'content-type': '' } })
    // Problems that affect every POST are reported by the body and method probes.
    const isTold = answer?.code === 'SignatureMismatchError' || [401, 404, 405].includes(answer?.status ?? 0)
    if (isThrough(answer) || isTold) return []
    return [
      createFinding('content-type', {
        ...toUnexpected(answer, 'A signed POST without a content type'),
        severity: 'warning',
      }),
    ]
  },
}

/** Sends a signed body that is not JSON. */
export const brokenBody: Probe = {
  name: 'broken-body',
  title: 'rejects bodies that are not JSON',
  skip,
  async run(context): Promise<readonly Finding[]> {
    const answer = await post(context, { body: '{"payload":' })
    if (answer === undefined || answer.code === 'RequestBodyInvalidError') return []
    // The code under the preset for the legacy service. A body parser does not answer with a code of a bridge.
    if (answer.status === 400 && answer.code === 'BridgeError') return []
    if (answer.code === 'SignatureMismatchError' || answer.status === 404 || answer.status === 405) return []
    return [
      createFinding('broken-body', {
        code: 'RequestBodyInvalidError',
        severity: 'warning',
        message: `A body that is not JSON ${describeAnswer(answer)}; it must be 400 RequestBodyInvalidError.`,
        cause: 'A body parser in front of the bridge answers requests that it cannot parse.',
        fix: 'Mount the bridge before body parsers; in Express, bodyErrorHandler after it turns their answers into JSON.',
      }),
    ]
  },
}

const largeBytes = 512 * 1024
const oversizeBytes = 10 * 1024 * 1024 + 64 * 1024
const bodyOf = (bytes: number): string => JSON.stringify({ payload: { filler: 'x'.repeat(bytes) } })

/** Sends a body of half a mebibyte, the size of large payloads with subscriber data. */
export const largeBody: Probe = {
  name: 'large-body',
  title: 'accepts a body of 512 KiB',
  skip,
  async run(context): Promise<readonly Finding[]> {
    const answer = await post(context, { body: bodyOf(largeBytes) })
    if (answer !== undefined && answer.status !== 413) return []
    const { data } = (answer?.json ?? {}) as { data?: { limit?: unknown; source?: unknown } }
    const isOwn = typeof data?.limit === 'number' && data.source === undefined
    return [
      createFinding('large-body', {
        code: 'PayloadTooLarge',
        message: `A body of 512 KiB ${describeAnswer(answer)}.`,
        cause: isOwn
          ? `The bridge accepts at most ${data?.limit} bytes (maxBodyBytes).`
          : "A server, a body parser or a proxy in front of the bridge has a lower limit. The defaults are 100 kB for express.json() and 512 kB for SvelteKit's adapter-node (BODY_SIZE_LIMIT).",
        group: 'Bridge',
      }),
    ]
  },
}

/** Sends a body that exceeds every bridge's limit, only to bridges on this machine. */
export const oversizeBody: Probe = {
  name: 'oversize-body',
  title: 'rejects a body over 10 MiB',
  skip: (context) => skip(context) ?? (context.isLoopback ? undefined : 'ten mebibytes are only sent to this machine'),
  async run(context): Promise<readonly Finding[]> {
    const answer = await post(context, { body: bodyOf(oversizeBytes) })
    // A server may close the connection instead of reading the rest.
    if (answer === undefined || answer.status === 413 || answer.status === 405 || answer.status === 401) return []
    return [
      createFinding('oversize-body', {
        code: 'PayloadTooLarge',
        severity: 'warning',
        message: `A body of ${oversizeBytes} bytes ${describeAnswer(answer)}; it should be 413.`,
        cause: 'The limit of the bridge was raised, or bodies are not limited.',
        fix: 'Lower maxBodyBytes unless payloads need that size.',
        group: 'Bridge',
      }),
    ]
  },
}
