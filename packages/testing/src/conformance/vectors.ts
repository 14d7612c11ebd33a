import type { WorkflowDefinition } from '@trestle/core'
import { type JsonObject, sign, signatureHeader } from '@trestle/protocol'
import { readData } from './read-data.ts'
import { findFault } from './vector-pattern.ts'
import { vectorWorkflows as workflows } from './vector-workflows.ts'

/** How a request departs from a right signature. */
export interface SignatureDeparture {
  /** The signing key. */
  readonly secretKey?: string
  /** The difference of its time from the time of sending, in milliseconds. */
  readonly offsetMs?: number
  /** The text to sign instead of the body. */
  readonly over?: string
  /** The header's value; `{t}`, `{v1}` and `{V1}` are replaced by its parts. */
  readonly header?: string
}

/** A request and the reply it must get. */
export interface VectorCall {
  /** The behavior it shows. */
  readonly name: string
  readonly request: {
    readonly method: string
    readonly query: Readonly<Record<string, string>>
    /** Sent as JSON without spaces. */
    readonly body?: JsonObject
    /** Sent exactly so, instead of `body`. */
    readonly bodyText?: string
    /** How it departs from a right signature; `null`: it is not signed. */
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
  /** The behavior it shows. */
  readonly name: string
  readonly secretKey: string
  /** Milliseconds since 1970, decimal digits. */
  readonly timestamp: string
  /** The text to sign, as UTF-8. */
  readonly body: string
  /** The header's value. */
  readonly header: string
}

/** The golden vectors of a bridge; `vectorSchema` describes the file. */
export interface Vectors {
  /** The version of the protocol. */
  readonly version: string
  /** The secret key of the bridge under test. */
  readonly secretKey: string
  /** The workflows that the bridge under test must serve. */
  readonly workflows: readonly JsonObject[]
  /** For functions that sign. */
  readonly signatures: readonly SignatureVector[]
  readonly calls: readonly VectorCall[]
}

/** The result of one vector. */
export interface VectorResult {
  readonly name: string
  /** The fault of the reply; `undefined` when it is right. */
  readonly fault: string | undefined
}

/** The golden vectors: requests in, replies out. */
export const vectors: Vectors = readData('vectors.json') as Vectors

/** JSON Schema of the vectors' file. */
export const vectorSchema: JsonObject = readData('vectors.schema.json') as JsonObject

/** The workflows that the vectors describe, for bridges that can serve these. */
export const vectorWorkflows: readonly WorkflowDefinition[] = workflows

/**
 * Sends every request of the vectors to a bridge, in any language, and compares the replies. The bridge serves the
 * workflows the vectors describe, under the vectors' secret key, with strict authentication.
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
