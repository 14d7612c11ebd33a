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
  /** Whether to include the framework's name and version, which only responses to verified calls contain. */
  readonly named: boolean
  readonly cors: Readonly<Record<string, string>> | undefined
}

/** Creates the response to a successful call. */
export function toReply(body: string, style: ReplyStyle): BridgeReply {
  return { status: 200, headers: toHeaders(style), body }
}

/** Returns a new object for each reply, because some servers add headers to it. */
function toHeaders({ named, cors }: ReplyStyle): Readonly<Record<string, string>> {
  return { ...(named ? namedHeaders : headers), ...cors }
}

/**
 * Converts a thrown value to a coded error: a coded error keeps its code, any other value becomes an internal error.
 */
export function toCodedError(error: unknown): CodedError {
  if (isCodedError(error)) return error
  return new CodedError('BridgeError', toThrown(error).message, { cause: error })
}

/** Headers and format of an error reply. */
export interface ErrorStyle extends ReplyStyle {
  /** Whether strict authentication is on. */
  readonly production: boolean
  /** The error code to send. */
  readonly code: string
}

/**
 * Creates the response to a failed call.
 *
 * @param style - Headers, the code to send, and whether this is production: internal errors then hide their message,
 * and stacks have no absolute paths.
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
 * Returns the data of an error as it is sent.
 *
 * @param production - Whether to remove absolute paths from a stack.
 */
function toData(data: unknown, production: boolean): unknown {
  const stack = production && typeof data === 'object' && data !== null ? Reflect.get(data, 'stack') : undefined
  return typeof stack === 'string' ? { ...(data as object), stack: withoutPaths(stack) } : data
}

function print(body: { readonly code: string; readonly message: string; readonly data: unknown }): string {
  try {
    return JSON.stringify(body)
  } catch {
    // Only user data can be unserializable; the error code must still be sent.
    return JSON.stringify({ ...body, data: null })
  }
}
