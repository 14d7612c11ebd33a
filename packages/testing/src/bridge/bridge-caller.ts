import type { Bridge } from '@trestle/core'
import { CodedError, type ErrorCode, type ErrorReply } from '@trestle/protocol'
import { contextStorage, type TestContext } from '../context/test-context.ts'
import { withPatches } from '../isolation/install-patches.ts'
import { type CallDescription, type SigningOptions, signedRequest } from './signed-request.ts'

/** A response with status 200. */
export interface CallAnswer<TBody> {
  /** The response body. */
  readonly body: TBody
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/** Calls a bridge as the service does: signed, through the function that adapters use. */
export type CallBridge = <TBody>(call: CallDescription, context: TestContext) => Promise<CallAnswer<TBody>>

/**
 * Creates the function that calls a bridge.
 *
 * @returns The function; it throws the bridge's failure, a `CodedError` with the code, status, message and data of the
 *   reply.
 */
export function createCaller(bridge: Bridge, signing: SigningOptions): CallBridge {
  return async <TBody>(call: CallDescription, context: TestContext): Promise<CallAnswer<TBody>> => {
    const { url, method, headers, body = '' } = await signedRequest(call, { ...signing, nowMs: context.nowMs })
    const bytes = new TextEncoder().encode(body)
    const sent = { method, url, header: (name: string) => headers[name], readBody: () => ({ bytes, exact: true }) }
    const startMs = performance.now()
    const reply = await withPatches(() => contextStorage.run(context, () => bridge.handle(sent)))
    const durationMs = performance.now() - startMs
    const answer = JSON.parse(reply.body) as unknown
    if (reply.status === 200) return { body: answer as TBody, durationMs }
    throw toFailure(answer as ErrorReply, reply.status)
  }
}

function toFailure({ code, message, data }: ErrorReply, status: number): CodedError {
  return new CodedError(code as ErrorCode, message, {
    status,
    ...(data !== null && { data: data as Readonly<Record<string, unknown>> }),
  })
}
