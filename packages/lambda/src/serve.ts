import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'
import type { LambdaEvent } from './lambda-event.ts'
import { mustBeCall } from './must-be-call.ts'
import { toNodeRequest } from './to-node-request.ts'

/** A response in a format that all callers accept. */
export interface LambdaReply {
  /** The HTTP status. */
  statusCode: number
  /** The headers, names in lowercase. */
  readonly headers: Record<string, string>
  /** The headers as lists, for a load balancer with multi-value headers, which ignores `headers`. */
  readonly multiValueHeaders?: Record<string, string[]>
  /** The body as text. */
  body: string
  readonly isBase64Encoded: false
}

/** Handles one event. Rejects with a `TypeError` only if the event is not an HTTP call, for example a queue message. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaReply>

/**
 * Serves workflows and agents from AWS Lambda with API Gateway (REST or HTTP API), a function URL or a load balancer.
 * Lambda freezes a function after its response, so the response to an agent event is delayed until the agent has
 * finished.
 *
 * @param options - Workflows, agents and settings.
 * @returns The function's handler.
 * @throws TypeError - An option is invalid.
 * @example
 * export const handler = serve({ workflows: [orderShipped] })
 */
export function serve(options: BridgeOptions): LambdaHandler {
  const bridge = createBridge(options)
  return async (rawEvent) => {
    // A manual test may have no event.
    const event = (rawEvent as LambdaEvent | null | undefined) ?? {}
    mustBeCall(event)
    const works: Promise<unknown>[] = []
    const handle = toNodeHandler(bridge, { waitUntil: (work) => works.push(work) })
    const reply: LambdaReply = { statusCode: 500, headers: {}, body: '', isBase64Encoded: false }
    await handle(toNodeRequest(event), {
      headersSent: false,
      get statusCode() {
        return reply.statusCode
      },
      set statusCode(status) {
        reply.statusCode = status
      },
      setHeader(name, value) {
        reply.headers[name] = value
      },
      end(body) {
        reply.body = body
      },
      destroy: () => undefined,
      on: () => undefined,
    })
    await Promise.allSettled(works)
    return takesLists(event) ? { ...reply, multiValueHeaders: toLists(reply.headers) } : reply
  }
}

function takesLists({ requestContext, multiValueHeaders }: LambdaEvent): boolean {
  return requestContext?.elb !== undefined && multiValueHeaders != null
}

function toLists(headers: LambdaReply['headers']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
}
