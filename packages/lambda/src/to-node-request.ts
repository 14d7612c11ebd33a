import type { NodeRequest } from '@trestle/core'
import type { LambdaEvent } from './lambda-event.ts'

/** Converts an event to a Node request whose body was already read. */
export function toNodeRequest(event: LambdaEvent): NodeRequest {
  const { requestContext, httpMethod, path, rawPath } = event
  const query = event.rawQueryString ?? toQuery(event)
  return {
    method: requestContext?.http?.method ?? httpMethod ?? 'GET',
    url: `${rawPath ?? path ?? '/'}${query === '' ? '' : `?${query}`}`,
    headers: toHeaders(event),
    // Decoding lazily lets the bridge respond to invalid base64; here it would end the call without a response.
    get rawBody() {
      return toBytes(event)
    },
    on: () => undefined,
  }
}

function toBytes({ body, isBase64Encoded }: LambdaEvent): Uint8Array {
  return isBase64Encoded
    ? Uint8Array.from(atob(body ?? ''), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(body ?? '')
}

/** Returns the query of an event: gateways decode it, a load balancer does not. */
function toQuery(event: LambdaEvent): string {
  const { queryStringParameters, multiValueQueryStringParameters, requestContext } = event
  const all = multiValueQueryStringParameters ?? queryStringParameters ?? {}
  const encode = requestContext?.elb === undefined ? encodeWellFormed : String
  return Object.entries(all)
    .flatMap(([name, values]) => [values ?? []].flat().map((value) => `${encode(name)}=${encode(value)}`))
    .join('&')
}

/** Percent-encodes text, replacing unpaired surrogates, which URLs cannot represent. */
function encodeWellFormed(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Converts names to lowercase and joins repeated headers as in HTTP. */
function toHeaders({ headers, multiValueHeaders }: LambdaEvent): Readonly<Record<string, string>> {
  const joinedHeaders: Record<string, string> = Object.create(null)
  for (const [name, values] of Object.entries(multiValueHeaders ?? headers ?? {}))
    if (values !== undefined) joinedHeaders[name.toLowerCase()] = [values].flat().join(', ')
  return joinedHeaders
}
