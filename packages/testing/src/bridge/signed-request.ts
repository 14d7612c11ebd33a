import { type Action, actionMethods, sign, signatureHeader } from '@trestle/protocol'

/** A call to a bridge. */
export interface CallDescription {
  readonly action: Action
  /** The workflow, for `execute`, `preview` and `trigger`. */
  readonly workflowId?: string | undefined
  /** The step, for `execute` and `preview`. */
  readonly stepId?: string | undefined
  /** The body of a POST: strings are sent unchanged, any other value as JSON. @default {} */
  readonly body?: unknown
}

/** How to sign a call, and the bridge address. */
export interface SigningOptions {
  /** The environment's secret key. */
  readonly secretKey: string
  /** The URL of the bridge. @default 'http://127.0.0.1/api/bridge' */
  readonly url?: string | undefined
  /** The time of signing, in milliseconds since 1970. @default Date.now() */
  readonly nowMs?: number | undefined
  /** The header that carries the signature. @default 'service-signature' */
  readonly signatureHeader?: string | undefined
}

/** A request as the service sends it, for `new Request(url, rest)` and `fetch(url, rest)`. */
export interface SignedRequest {
  /** The bridge's URL with the query of the call. */
  readonly url: string
  /** The method of the action. */
  readonly method: 'GET' | 'POST'
  /** The headers, names in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, exactly as signed; absent for a GET. */
  readonly body?: string
}

/**
 * Creates a request as the service does, signature included.
 *
 * @param call - The action and its parameters.
 * @param options - The secret, and the URL of the bridge.
 * @throws TypeError - The option `url` is not a URL.
 * @source bridge-protocol.md#signature
 * @example
 * const { url, ...rest } = await signedRequest({ action: 'discover' }, { secretKey, url: 'http://127.0.0.1:4000/api/bridge' })
 * const reply = await fetch(url, rest)
 */
export async function signedRequest(call: CallDescription, options: SigningOptions): Promise<SignedRequest> {
  const method = actionMethods[call.action]
  const url = new URL(options.url ?? 'http://127.0.0.1/api/bridge')
  url.searchParams.set('action', call.action)
  if (call.workflowId !== undefined) url.searchParams.set('workflowId', call.workflowId)
  if (call.stepId !== undefined) url.searchParams.set('stepId', call.stepId)
  const { body: given = {} } = call
  const body = typeof given === 'string' ? given : JSON.stringify(given)
  const { secretKey, nowMs = Date.now() } = options
  const signature = await sign(secretKey, method === 'GET' ? '{}' : body, { nowMs })
  const headers = { [(options.signatureHeader ?? signatureHeader).toLowerCase()]: signature }
  if (method === 'GET') return { url: url.href, method, headers }
  return { url: url.href, method, headers: { 'content-type': 'application/json', ...headers }, body }
}
