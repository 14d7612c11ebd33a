import type { ErrorCode } from '@trestle/protocol'

/** A kind of failure: its meaning for the caller, and how to fix it. */
export interface Failure {
  /** HTTP status of the failure. */
  readonly status: number
  /** Whether the attempt is retried while the schedule has a retry left. */
  readonly retried: boolean
  /** Returns the message; `url` is the bridge's address without query and user info. */
  readonly message: (url: string) => string
  /** How to fix it, for the log. Never part of the message. */
  readonly fix: string
}

const blocked = () => 'The bridge URL is blocked by the outbound SSRF policy.'
const unavailable = (url: string) => `The bridge endpoint at ${url} is unavailable.`

const policy = (fix: string): Failure => ({ status: 400, retried: false, message: blocked, fix })
const connection = (fix: string): Failure => ({ status: 400, retried: true, message: unavailable, fix })
const answer = (status: number, message: Failure['message'], fix: string): Failure => ({
  status,
  retried: false,
  message,
  fix,
})
const reachability = (status: number, message: Failure['message'], fix: string): Failure => ({
  status,
  retried: true,
  message,
  fix,
})

/** A code from the specification's tables: outbound policy, reachability or responses. */
export type FailureCode =
  | 'INVALID_URL'
  | 'UNSUPPORTED_SCHEME'
  | 'CREDENTIALS_IN_URL'
  | 'BLOCKED_HOSTNAME'
  | 'DNS_LOOKUP_FAILED'
  | 'PRIVATE_IP'
  | 'CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT'
  | 'SSRF_BLOCKED'
  | 'InvalidBridgeUrl'
  | 'BridgeEndpointUnavailable'
  | 'BridgeEndpointNotFound'
  | 'TunnelNotFound'
  | 'BridgeRequestTimeout'
  | 'EAI_AGAIN'
  | 'ENOTFOUND'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'EADDRINUSE'
  | 'EPIPE'
  | 'ETIMEDOUT'
  | 'EHOSTUNREACH'
  | 'ENETUNREACH'
  | 'BridgeAuthenticationFailed'
  | 'BridgeMethodNotConfigured'
  | 'PayloadTooLarge'
  | 'SelfSignedCertificate'
  | 'UnsupportedProtocol'
  | 'MaximumRedirectsExceeded'
  | 'ResponseReadError'
  | 'RequestUploadError'
  | 'RequestCacheError'
  | 'ResponseParseError'
  | 'UnknownBridgeRequestError'
  | 'UnknownBridgeNonRequestError'

/**
 * Every failure the client itself can report: status, message, and whether the call is retried. This table is the only
 * source of these values.
 *
 * @source service-api.md#outbound-address-policy, service-api.md#reachability-errors, service-api.md#response-errors
 */
export const failures: Readonly<Record<FailureCode, Failure>> = Object.freeze({
  INVALID_URL: policy('Save an absolute http or https URL with a port other than 0.'),
  UNSUPPORTED_SCHEME: policy('Use http or https.'),
  CREDENTIALS_IN_URL: policy('Remove the user name and password from the URL.'),
  BLOCKED_HOSTNAME: policy('Use a public host name. No allow list permits localhost or the metadata host.'),
  DNS_LOOKUP_FAILED: policy('Check the host name, and that this process can resolve it.'),
  PRIVATE_IP: policy('Use a public address, or allow its range with SERVICE_SAFE_OUTBOUND_ALLOW and restart.'),
  CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT: policy(
    'Save the URL the redirect leads to; a signed call is not sent to another host.',
  ),
  SSRF_BLOCKED: policy('Check which addresses the resolver of this process returns for the host.'),

  InvalidBridgeUrl: answer(400, (url) => `Invalid bridge URL: ${url}`, 'Sync the environment with a bridge URL.'),
  BridgeEndpointUnavailable: reachability(404, unavailable, 'Check the path; the bridge route must be mounted there.'),
  BridgeEndpointNotFound: reachability(
    404,
    (url) => `The bridge endpoint at ${url} was not found: a proxy answered 502, so the app it forwards to is down.`,
    'Start the app behind the proxy.',
  ),
  TunnelNotFound: reachability(
    404,
    (url) => `The tunnel at ${url} was not found: no client is connected to it.`,
    'Start the development command again and sync the address it prints.',
  ),
  BridgeRequestTimeout: reachability(
    408,
    (url) => `The bridge at ${url} did not finish in time.`,
    'Make the handler faster; each attempt is limited to five seconds.',
  ),
  EAI_AGAIN: connection('No name server answered; check the DNS settings of this process.'),
  ENOTFOUND: connection('The host name no longer exists; check its DNS records.'),
  ECONNREFUSED: connection('Nothing listens on the port. URLs without a port use 443 for https and 80 for http.'),
  ECONNRESET: connection('The peer closed the connection; check the app and the proxies in front of it.'),
  EADDRINUSE: connection('No local socket could be opened; this process has too many connections open.'),
  EPIPE: connection(
    'The connection closed while the body was being sent; check the body limits of proxies and body parsers.',
  ),
  ETIMEDOUT: connection('Packets are lost; check firewalls between this process and the bridge.'),
  EHOSTUNREACH: connection('No route to the address; check the network.'),
  ENETUNREACH: connection('The network of this process is down; check its connection.'),

  BridgeAuthenticationFailed: answer(
    401,
    (url) =>
      `The bridge at ${url} refused the call with 401. Check that SERVICE_SECRET_KEY is set in the app, and that no middleware blocks the call.`,
    'Let signed calls pass the middleware before the bridge route.',
  ),
  BridgeMethodNotConfigured: answer(
    400,
    (url) => `The bridge at ${url} answered 405: it must expose the methods POST, GET and OPTIONS.`,
    'Export all three methods from the bridge route.',
  ),
  PayloadTooLarge: answer(
    413,
    (url) =>
      `The trigger payload, the subscriber and the results of earlier steps are too large for the bridge at ${url}.`,
    'Send less data, or raise the body limits of the bridge and of the proxies in front of it.',
  ),
  SelfSignedCertificate: answer(
    400,
    (url) => `The bridge at ${url} uses a self-signed certificate.`,
    'Install a certificate from a trusted authority. Only the Development environment skips the check.',
  ),
  UnsupportedProtocol: answer(
    400,
    (url) => `The bridge URL ${url} does not start with http:// or https://.`,
    'Use http or https.',
  ),
  MaximumRedirectsExceeded: answer(
    400,
    (url) => `The bridge at ${url} redirected too many times.`,
    'Save the URL the redirects lead to. At most three redirects are followed.',
  ),
  ResponseReadError: answer(
    400,
    (url) => `The response of the bridge at ${url} could not be read.`,
    'The response ended early, is malformed or exceeds the size limit; see the cause.',
  ),
  RequestUploadError: answer(
    400,
    (url) => `The request body could not be fully sent to the bridge at ${url}.`,
    'Try again with a smaller body, and check the network.',
  ),
  RequestCacheError: answer(
    400,
    (url) => `The request to the bridge at ${url} failed before the handler ran.`,
    'The call could not be prepared: check its arguments. Its data must be valid JSON.',
  ),
  ResponseParseError: answer(
    502,
    (url) => `The bridge at ${url} answered with a body that is not a JSON bridge reply.`,
    'Check that the URL leads to the bridge route and not to a page; the cause names the problem.',
  ),
  UnknownBridgeRequestError: answer(
    500,
    (url) => `The bridge at ${url} answered with an unexpected status.`,
    'Check the status in the cause, and the logs of the app.',
  ),
  UnknownBridgeNonRequestError: answer(
    500,
    (url) => `The call to the bridge at ${url} failed for an unknown reason.`,
    'Check the cause.',
  ),
})

/**
 * Transient bridge errors. A busy agent is not included, because it stays busy for longer than these retries; the
 * sender of its events retries them.
 */
const transient: ReadonlySet<string> = new Set<ErrorCode>(['StepExecutionTimeoutError', 'NonceStoreUnavailableError'])

/**
 * Returns whether a failed call may succeed later: the bridge was unreachable, did not answer in time, or asked for a
 * retry.
 *
 * @param code - A code of {@link failures}, or of a bridge.
 * @source service-api.md#reachability-errors
 * @example
 * if (error instanceof BridgeClientError && isRetriedCode(error.code)) await callLater()
 */
export function isRetriedCode(code: string): boolean {
  if (transient.has(code)) return true
  return Object.hasOwn(failures, code) && failures[code as FailureCode].retried
}
