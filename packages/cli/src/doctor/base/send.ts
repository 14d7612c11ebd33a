import { OutboundError, type OutboundReply, toSignatureHeaders } from '@trestle/bridge-client'
import { isObject, parseJson, sign } from '@trestle/protocol'
import { cleanText } from '../../base/clean-text.ts'
import type { ProbeContext } from './probe.ts'

/** A request to a bridge, valid or invalid. */
export interface ProbeRequest {
  /** The method. @default 'GET' */
  readonly method?: string
  readonly query?: Readonly<Record<string, string>>
  /** The body, exactly as sent. */
  readonly body?: string
  /** How it is signed: correctly, not at all, or incorrectly. @default 'right' */
  readonly signature?: 'right' | 'none' | SignatureFault
  readonly headers?: Readonly<Record<string, string>>
}

/** How to make a signature invalid. */
export interface SignatureFault {
  readonly key?: string
  /** Signs with a shifted time, in milliseconds from now. */
  readonly offsetMs?: number
  readonly body?: string
  /** Sends this text instead of a signature. */
  readonly text?: string
}

/** A response, parsed as far as possible. */
export interface ProbeAnswer extends OutboundReply {
  /** The error code in the response, if it is a bridge error. */
  readonly code: string | undefined
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** Signs calls to open bridges, which ignore signatures. */
const anyKey = 'no-key-was-given'

/**
 * Sends a request to a bridge, without following redirects.
 *
 * @returns The response; undefined if there was none.
 */
export async function send(context: ProbeContext, request: ProbeRequest): Promise<ProbeAnswer | undefined> {
  const { method = 'GET', query = {}, body, headers = {} } = request
  const url = new URL(context.url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const signature = await toSignature(context, request)
  const type = body === undefined || 'content-type' in headers ? undefined : 'application/json'
  try {
    const reply = await context.outbound.send(
      {
        method,
        url: url.href,
        headers: {
          accept: 'application/json',
          ...(type !== undefined && { 'content-type': type }),
          ...(signature !== undefined && Object.fromEntries(toSignatureHeaders().map((name) => [name, signature]))),
          ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
        },
        ...(body !== undefined && { body }),
      },
      context.signal,
    )
    return read(reply)
  } catch (error) {
    if (error instanceof OutboundError) return undefined
    throw error
  }
}

async function toSignature(
  context: ProbeContext,
  { signature = 'right', body = '{}' }: ProbeRequest,
): Promise<string | undefined> {
  if (signature === 'none') return undefined
  const fault = signature === 'right' ? {} : signature
  if (fault.text !== undefined) return fault.text
  const key = fault.key ?? context.key ?? anyKey
  return sign(key, fault.body ?? body, { nowMs: context.nowMs() + (fault.offsetMs ?? 0) })
}

function read(reply: OutboundReply): ProbeAnswer {
  const json = parseJson(reply.text)
  const code = isObject(json) && typeof json['code'] === 'string' ? json['code'] : undefined
  return { ...reply, json, code }
}

/**
 * Describes a response in words.
 *
 * @param answer - The response; undefined if there was none.
 */
export function describeAnswer(answer: ProbeAnswer | undefined): string {
  if (answer === undefined) return 'got no answer'
  if (answer.code !== undefined) return `was answered with ${answer.status} ${cleanText(answer.code, 80)}`
  const kind = answer.json === undefined ? (answer.text === '' ? ', without a body' : ', not JSON') : ''
  return `was answered with ${answer.status}${kind}`
}

/**
 * The query of a harmless POST whose expected response, 404 `WorkflowNotFoundError`, shows that it was verified and
 * parsed.
 */
export const harmlessQuery: Readonly<Record<string, string>> = Object.freeze({
  action: 'preview',
  workflowId: 'trestle-doctor-asks-for-a-workflow-that-is-not-there',
  stepId: 'none',
})
