import type { WorkflowDefinition } from '@trestle/core'
import { type JsonObject, sign, signatureHeader } from '@trestle/protocol'
import { readData } from './read-data.ts'
import { findFault } from './vector-pattern.ts'
import { vectorWorkflows as workflows } from './vector-workflows.ts'

/** How a request's signature differs from a valid one. */
export interface SignatureDeparture {
  /** The signing key. */
  readonly secretKey?: string
  /** The offset of the signed time from the sending time, in milliseconds. */
  readonly offsetMs?: number
  /** The text to sign instead of the body. */
  readonly over?: string
  /** The header's value; `{t}`, `{v1}` and `{V1}` are replaced by its parts. */
  readonly header?: string
}

/** A request and its expected response. */
export interface VectorCall {
  /** The behavior that the vector demonstrates. */
  readonly name: string
  readonly request: {
    readonly method: string
    readonly query: Readonly<Record<string, string>>
    /** The body, sent as JSON without whitespace. */
    readonly body?: JsonObject
    /** The exact body to send, instead of `body`. */
    readonly bodyText?: string
    /** How the signature differs from a valid one; `null` sends the request unsigned. */
    readonly signature?: SignatureDeparture | null
  }
  readonly reply: {
    readonly status: number
    /** The expected start of some header values. */
    readonly headers?: Readonly<Record<string, string>>
    /** A pattern of the body. */
    readonly body: unknown
  }
}

/** A text and its expected signature header. */
export interface SignatureVector {
  /** The behavior that the vector demonstrates. */
  readonly name: string
  readonly secretKey: string
  /** Milliseconds since 1970, in decimal digits. */
  readonly timestamp: string
  /** The text to sign, as UTF-8. */
  readonly body: string
  /** The header's value. */
  readonly header: string
}

/** The golden vectors of a bridge; `vectorSchema` describes the file. */
export interface Vectors {
  /** The protocol version. */
  readonly version: string
  /** The secret key of the bridge under test. */
  readonly secretKey: string
  /** The workflows that the bridge under test must serve. */
  readonly workflows: readonly JsonObject[]
  /** Vectors for signing functions. */
  readonly signatures: readonly SignatureVector[]
  readonly calls: readonly VectorCall[]
}

/** The result of one vector. */
export interface VectorResult {
  readonly name: string
  /** The mismatch in the response; `undefined` if there is none. */
  readonly fault: string | undefined
}

/** The golden vectors: requests and their expected responses. */
export const vectors: Vectors = readData('vectors.json') as Vectors

/** The JSON Schema of the file with the vectors. */
export const vectorSchema: JsonObject = readData('vectors.schema.json') as JsonObject

/** The workflows that the vectors describe, for bridges that can serve them. */
export const vectorWorkflows: readonly WorkflowDefinition[] = workflows

/**
 * Sends every request in the vectors to a bridge, written in any language, and compares the responses. The bridge must
 * serve the workflows that the vectors describe, use the vectors' secret key, and have strict authentication.
 *
 * @param url - The URL of the bridge.
 * @param given - Vectors to use instead of the golden ones.
 * @returns One result for each vector, in order.
 * @example
 * const wrong = (await runVectors('http://127.0.0.1:4000/api/bridge')).filter(({ fault }) => fault)
 */
export async function runVectors(url: string, given: Vectors = vectors): Promise<readonly VectorResult[]> {
  const results: VectorResult[] = []
  // Sequential, because this is not a load test.
  for (const call of given.calls) results.push({ name: call.name, fault: await runVector(url, call, given.secretKey) })
  return results
}

async function runVector(url: string, { request, reply }: VectorCall, secretKey: string): Promise<string | undefined> {
  const target = new URL(url)
  for (const [name, value] of Object.entries(request.query)) target.searchParams.set(name, value)
  const { method, body: data, bodyText = data && JSON.stringify(data) } = request
  const headers = new Headers(bodyText === undefined ? {} : { 'content-type': 'application/json' })
  const signature = await toSignature(request, bodyText, secretKey)
  if (signature !== undefined) headers.set(signatureHeader, signature)
  const response = await fetch(target, { method, headers, ...(bodyText !== undefined && { body: bodyText }) })
  const text = await response.text()
  if (response.status !== reply.status) return `the status is ${response.status}, not ${reply.status}: ${text}`
  for (const [name, start] of Object.entries(reply.headers ?? {})) {
    const value = response.headers.get(name)
    if (!value?.startsWith(start)) return `the header ${name} is ${value ?? 'missing'}, not ${start}`
  }
  return checkBody(text, reply.body)
}

async function toSignature(
  { signature = {} }: VectorCall['request'],
  body: string | undefined,
  key: string,
): Promise<string | undefined> {
  if (signature === null) return undefined
  const { secretKey = key, offsetMs = 0, over = body ?? '{}', header = 't={t},v1={v1}' } = signature
  const [t = '', v1 = ''] = (await sign(secretKey, over, { nowMs: Date.now() + offsetMs })).slice(2).split(',v1=')
  return header.replaceAll('{t}', t).replaceAll('{v1}', v1).replaceAll('{V1}', v1.toUpperCase())
}

function checkBody(text: string, pattern: unknown): string | undefined {
  try {
    return findFault(JSON.parse(text), pattern)
  } catch {
    return `the body is not JSON: ${text.slice(0, 200)}`
  }
}
