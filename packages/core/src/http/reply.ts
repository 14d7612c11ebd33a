import { CodedError, isCodedError } from '@trestle/protocol'
import { toThrown, withoutPaths } from '../base/thrown.ts'
import type { BridgeReply } from '../call/bridge-call.ts'
import { frameworkName, frameworkVersion } from '../config/version.ts'

const headers = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})
const namedHeaders = Object.freeze({
  ...headers,
  'service-framework': frameworkName,
  'service-framework-version': frameworkVersion,
})

/** Headers of a reply. */
export interface ReplyStyle {
  /** The framework's name and version: only in answers to verified calls. */
  readonly named: boolean
  /** Headers for browsers. */
  readonly cors: Readonly<Record<string, string>> | undefined
}

/**
 * Creates the answer to a call that went well.
 *
 * @param body - JSON text.
 * @param style - Headers.
 */
export function toReply(body: string, style: ReplyStyle): BridgeReply {
  return { status: 200, headers: toHeaders(style), body }
}

/** Of its own for each reply: some servers add to what they are given. */
function toHeaders({ named, cors }: ReplyStyle): Readonly<Record<string, string>> {
  return { ...(named ? namedHeaders : headers), ...cors }
}

/**
 * Turns whatever was thrown into the failure that is answered: a coded error keeps its code, anything else is a fault
 * of the framework.
 *
 * @param error - The thrown value.
 */
export function toCodedError(error: unknown): CodedError {
  if (isCodedError(error)) return error
  return new CodedError('BridgeError', toThrown(error).message, { cause: error })
}

/** Headers and form of a failure. */
export interface ErrorStyle extends ReplyStyle {
  /** Whether strict authentication is on. */
  readonly production: boolean
  /** The code that is sent. */
  readonly code: string
}

/**
 * Creates the answer to a call that failed.
 *
 * @param error - The failure.
 * @param style - Headers, the code as it goes over the wire, and whether this is production: then a fault of the
 *   framework keeps its message, and stacks hold no absolute paths.
 * @source bridge-protocol.md#replies
 */
export function toErrorReply(error: CodedError, style: ErrorStyle): BridgeReply {
  const withheld = error.code === 'BridgeError' && style.production
  const message = withheld ? 'The bridge failed; see its log.' : error.message
  const allow = error.code === 'MethodNotAllowedError' && { allow: 'GET, POST, OPTIONS' }
  return {
    status: error.status,
    headers: { ...toHeaders(style), ...allow },
    body: print({ code: style.code, message, data: withheld ? null : toData(error.data, style.production) }),
  }
}

/**
 * Returns a failure's data as it goes over the wire.
 *
 * @param data - Of a coded error.
 * @param production - Whether absolute paths are taken out of a stack.
 */
function toData(data: unknown, production: boolean): unknown {
  const stack = production && typeof data === 'object' && data !== null ? Reflect.get(data, 'stack') : undefined
  return typeof stack === 'string' ? { ...(data as object), stack: withoutPaths(stack) } : data
}

function print(body: { readonly code: string; readonly message: string; readonly data: unknown }): string {
  try {
    return JSON.stringify(body)
  } catch {
    // Only data that came from user code can be unprintable; the code must still get through.
    return JSON.stringify({ ...body, data: null })
  }
}
