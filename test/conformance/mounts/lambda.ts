import type { IncomingMessage } from 'node:http'
import { type LambdaEvent, serve } from '@trestle/lambda'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront, waitsForBody } from './node.ts'

type Caller = (request: IncomingMessage, body: Buffer) => LambdaEvent

const urlOf = ({ url }: IncomingMessage): URL => new URL(url?.startsWith('/') ? url : '/', 'http://lambda.test')

/** Headers in Node's format, with their original case. */
function toPairs({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []))
}

function group(pairs: Iterable<readonly [string, string]>): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null)
  for (const [name, value] of pairs) {
    groups[name] ??= []
    groups[name].push(value)
  }
  return groups
}

const last = (groups: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']))

/**
 * The event of an API Gateway REST API: the query is decoded, and all values are present in addition to the last one.
 */
const restApi: Caller = (request, body) => {
  const { pathname, searchParams } = urlOf(request)
  const headers = group(toPairs(request))
  const query = group(searchParams)
  return {
    httpMethod: request.method,
    path: pathname,
    headers: last(headers),
    multiValueHeaders: headers,
    queryStringParameters: last(query),
    multiValueQueryStringParameters: query,
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: {},
  }
}

/** The event of an HTTP API or a function URL: names in lowercase, values joined, the query unchanged. */
const httpApi: Caller = (request, body) => {
  const { pathname, search } = urlOf(request)
  const headers = Object.entries(group(toPairs(request).map(([name, value]) => [name.toLowerCase(), value] as const)))
  const isText = Buffer.from(body.toString('utf8')).equals(body)
  return {
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: Object.fromEntries(headers.map(([name, values]) => [name, values.join(',')])),
    ...(body.length > 0 && { body: isText ? body.toString('utf8') : body.toString('base64') }),
    isBase64Encoded: body.length > 0 && !isText,
    requestContext: { http: { method: request.method } },
  }
}

/** The event of a load balancer with multi-value headers: the query stays encoded. */
const loadBalancer: Caller = (request, body) => {
  const pairs = urlOf(request)
    .search.slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const)
  return {
    ...restApi(request, body),
    queryStringParameters: undefined,
    multiValueQueryStringParameters: group(pairs),
    headers: undefined,
    requestContext: { elb: { targetGroupArn: 'arn:test' } },
  }
}

function mountLambda(toEvent: Caller): Mount['mount'] {
  return (options) => {
    const handler = serve(options)
    return mountListener(async (request, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer)
      } catch {
        response.destroy()
        return
      }
      const event = toEvent(request, Buffer.concat(chunks))
      const { statusCode, headers, multiValueHeaders, body } = await handler(event)
      // A load balancer that sends multi-value headers only accepts multi-value responses.
      const isOfLists = event.requestContext?.elb !== undefined && event.multiValueHeaders !== undefined
      response.writeHead(statusCode, isOfLists ? multiValueHeaders : headers).end(body)
    })
  }
}

const inFront = { ...nodeInFront, ...waitsForBody('a gateway') }

/** Converts requests over a socket to events of AWS gateways. */
export const lambdaMounts: readonly Mount[] = (
  [
    ['a REST API', restApi],
    ['an HTTP API or function URL', httpApi],
    ['a load balancer', loadBalancer],
  ] as const
).map(([name, toEvent]) => ({ name: `Lambda behind ${name}`, body: 'kept', inFront, mount: mountLambda(toEvent) }))
