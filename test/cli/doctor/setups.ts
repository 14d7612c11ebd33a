import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { request as sendRequest } from 'node:http'
import type { DiagnoseOptions } from '@trestle/cli'
import { type BridgeOptions, createBridge, escapeHtml, workflow } from '@trestle/core'
import { novu } from '@trestle/core/novu'
import { serve } from '@trestle/express'
import express from 'express'
import { z } from 'zod'
import { createCertificate } from '../../../packages/bridge-client/fixtures/certificate.ts'
import { bridgeHandler, key, type Listening, listen } from '../listen.ts'

/** A faulty bridge, and the code that the doctor must name. */
export interface Setup {
  readonly what: string
  /** The code of the first finding; undefined if there is none. */
  readonly code: string | undefined
  readonly isWarning?: boolean
  /** Text that message, cause or fix must contain. */
  readonly says?: RegExp
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>
  readonly options?: Partial<DiagnoseOptions>
}

export const order = workflow(
  'order',
  async ({ step, payload }) => {
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>${escapeHtml(payload.id)}</p>` }), {
      controlSchema: z.object({ subject: z.string().default('Order {{ payload.id }}') }),
    })
  },
  { payloadSchema: z.object({ id: z.string() }) },
)

const at = (listening: Listening, path = '/api/bridge') => ({ url: listening.origin + path, stop: listening.stop })
const served = (listener: RequestListener) => async () => at(await listen(listener))
const bridge = (options: BridgeOptions = {}) => served(bridgeHandler({ workflows: [order], ...options }))
const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  served((_request, response) => void response.writeHead(status, headers).end(body))
const healthy = bridgeHandler({ workflows: [order] })
const actionOf = (request: IncomingMessage) => new URL(request.url ?? '/', 'http://a').searchParams.get('action') ?? ''
/** Health checks and discovery reach the bridge; the test handles everything else. */
const behind = (others: RequestListener, actions = ['health-check', 'discover']) =>
  served((request, response) =>
    (actions.includes(actionOf(request)) && request.method === 'GET' ? healthy : others)(request, response),
  )
const nowhere = { url: 'http://127.0.0.1:1/api/bridge', stop: async () => undefined }
const address = (url: string) => async () => ({ ...nowhere, url })

/** Reads a whole body. */
async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** A proxy that forwards a changed body. */
function proxy(change: (body: string) => string): RequestListener {
  return async (incoming, response) => {
    const target = await listen(healthy)
    const body = change(await readText(incoming))
    const { host: _host, 'content-length': _length, ...headers } = incoming.headers
    const outgoing = sendRequest(target.origin + incoming.url, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response).on('close', () => void target.stop())
    })
    outgoing.on('error', () => response.destroy())
    outgoing.end(body)
  }
}

function reprint(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1)
  } catch {
    return body
  }
}

function withExpress(mount: (app: express.Express) => void): Setup['start'] {
  const app = express()
  mount(app)
  return served(app)
}
const logger = { warn: () => undefined, error: () => undefined }
const options: BridgeOptions = { workflows: [order], secretKey: key, strictAuthentication: true, logger }

const minuteMs = 60_000
const later = (ms: number) => ({ nowMs: () => Date.now() + ms })
const slowly =
  (ms: number): RequestListener =>
  (request, response) =>
    void setTimeout(() => healthy(request, response), ms).unref()
const hangUp: RequestListener = (request) => void request.socket.destroy()
const page = '<!doctype html><title>Welcome</title>'
const broken = workflow('broken', async () => {
  throw new Error('the database is down')
})
const step = (id: string, handler: () => unknown) =>
  workflow(id, async ({ step }) => {
    await step.sms('work', async () => handler() as { body: string })
  })

/** Wrong keys, clocks and signatures. */
export const signatureSetups: readonly Setup[] = [
  { what: 'nothing', code: undefined, start: bridge() },
  { what: 'nothing, with the preset for the legacy service', code: undefined, start: bridge({ service: novu }) },
  {
    what: 'the key of another environment',
    code: 'SignatureMismatchError',
    says: /use different secret keys/,
    start: bridge({ secretKey: 'sk_of_another_environment' }),
  },
  {
    what: 'no key given to the doctor',
    code: 'SignatureMismatchError',
    says: /--key/,
    start: bridge(),
    options: { key: undefined },
  },
  { what: 'no secret where the app runs', code: 'SigningKeyNotFoundError', start: bridge({ secretKey: '' }) },
  {
    what: 'a clock ten minutes behind',
    code: 'SignatureExpiredError',
    says: /behind/,
    start: bridge(),
    options: later(10 * minuteMs),
  },
  {
    what: 'a clock ten minutes ahead',
    code: 'SignatureExpiredError',
    says: /ahead of/,
    start: bridge(),
    options: later(-10 * minuteMs),
  },
  {
    what: 'strict authentication off in production',
    code: 'SignatureNotFoundError',
    start: bridge({ strictAuthentication: false }),
    options: { isProduction: true },
  },
  {
    what: 'strict authentication off in development',
    code: 'SignatureNotFoundError',
    isWarning: true,
    start: bridge({ strictAuthentication: false }),
  },
  {
    what: 'middleware that asks for a session',
    code: 'BridgeAuthenticationFailed',
    start: behind((_request, response) => void response.writeHead(401).end('Sign in'), ['health-check']),
  },
  {
    what: 'a gateway that strips the header',
    code: 'SignatureNotFoundError',
    start: served((request, response) => {
      delete request.headers['service-signature']
      healthy(request, response)
    }),
  },
  {
    what: 'a gateway that rewrites the header',
    code: 'SignatureInvalidError',
    start: served((request, response) => {
      if (request.headers['service-signature']) request.headers['service-signature'] = 'v2=1'
      healthy(request, response)
    }),
  },
  {
    what: 'a bridge that asks for a header and verifies nothing',
    code: 'SignatureMismatchError',
    start: served((request, response) => {
      if (!request.headers['service-signature'] && actionOf(request) !== 'health-check') healthy(request, response)
      else bridgeHandler({ workflows: [order], strictAuthentication: false })(request, response)
    }),
  },
]

/** Changed, parsed, truncated and too large bodies. */
export const bodySetups: readonly Setup[] = [
  {
    what: 'a gateway that asks for a content type',
    code: 'UnknownBridgeRequestError',
    isWarning: true,
    says: /without a content type was answered with 415/,
    start: served((request, response) =>
      request.method === 'POST' && !request.headers['content-type']
        ? void response.writeHead(415).end(page)
        : healthy(request, response),
    ),
  },
  {
    what: 'a limit of the bridge that is too high',
    code: 'PayloadTooLarge',
    isWarning: true,
    says: /should be 413/,
    start: bridge({ maxBodyBytes: 64 * 1024 * 1024 }),
  },
  {
    what: 'a proxy that serializes the JSON again',
    code: 'SignatureMismatchError',
    says: /parses the body/,
    start: served(proxy(reprint)),
  },
  {
    what: 'express.json() in front',
    code: 'SignatureMismatchError',
    says: /express\.json/,
    start: withExpress((app) => void app.use(express.json()).all('/api/bridge', serve(options))),
  },
  {
    what: 'express.json() that keeps the raw body, with its own limit',
    code: 'RequestBodyInvalidError',
    isWarning: true,
    start: withExpress((app) => {
      app.use(
        express.json({
          limit: '11mb',
          verify: (request, _response, buffer) => void Object.assign(request, { rawBody: buffer }),
        }),
      )
      app.all('/api/bridge', serve(options))
      app.use(
        ((_error, _request, response, _next) => void response.status(400).send(page)) as express.ErrorRequestHandler,
      )
    }),
  },
  {
    what: 'a limit of the bridge that is too low',
    code: 'PayloadTooLarge',
    says: /maxBodyBytes/,
    start: bridge({ maxBodyBytes: 100_000 }),
  },
  {
    what: 'a server in front that fails the stream of a large body',
    code: 'PayloadTooLarge',
    says: /in front of the bridge.*BODY_SIZE_LIMIT/,
    start: served(async (request, response) => {
      const { method = '', url = '', headers } = request
      const error = Object.assign(new Error('request body size exceeded BODY_SIZE_LIMIT of 524288'), { status: 413 })
      const isLarge = Number(headers['content-length'] ?? 0) > 524_288
      const body = new ReadableStream({ start: (controller) => controller.error(error) })
      const call = new Request(`http://a${url}`, {
        method,
        headers: headers as HeadersInit,
        ...(isLarge && { body, duplex: 'half' }),
      })
      if (!isLarge) return healthy(request, response)
      request.resume()
      const answer = await createBridge({ workflows: [order], secretKey: key, strictAuthentication: true }).fetch(call)
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    }),
  },
  {
    what: 'a proxy with a limit',
    code: 'PayloadTooLarge',
    says: /proxy/,
    start: served((request, response) =>
      Number(request.headers['content-length'] ?? 0) > 100_000
        ? response.writeHead(413).end(page)
        : healthy(request, response),
    ),
  },
]

export const networkSetups: readonly Setup[] = [
  {
    what: 'a wrong path',
    code: 'BridgeEndpointUnavailable',
    says: /\/api\/bridge: use that address/,
    start: async () =>
      at(
        await listen((request, response) =>
          request.url?.startsWith('/api/bridge') ? healthy(request, response) : response.writeHead(404).end(),
        ),
        '/bridge',
      ),
  },
  { what: 'nothing that listens', code: 'ECONNREFUSED', start: address(nowhere.url) },
  {
    what: 'a name that does not exist',
    code: 'DNS_LOOKUP_FAILED',
    start: address('https://bridge.test/api/bridge'),
    options: { lookup: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) },
  },
  {
    what: 'name servers that do not answer',
    code: 'EAI_AGAIN',
    start: address('https://bridge.test/api/bridge'),
    options: { lookup: async () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })) },
  },
  { what: 'a private address', code: 'PRIVATE_IP', start: address('http://10.1.2.3/api/bridge') },
  {
    what: 'a name of a private address',
    code: 'PRIVATE_IP',
    start: address('http://intra.test/api/bridge'),
    options: { lookup: async () => ['192.168.1.4'] },
  },
  { what: 'the metadata host', code: 'BLOCKED_HOSTNAME', start: address('http://metadata.google.internal/') },
  {
    what: 'a password in the address',
    code: 'CREDENTIALS_IN_URL',
    start: address('http://user:word@127.0.0.1:1/api/bridge'),
  },
  { what: 'another scheme', code: 'UNSUPPORTED_SCHEME', start: address('ftp://127.0.0.1/api/bridge') },
  { what: 'no address at all', code: 'INVALID_URL', start: address('http://') },
  { what: 'a connection that is closed', code: 'ECONNRESET', start: served(hangUp) },
  {
    what: 'an answer that is too slow',
    code: 'BridgeRequestTimeout',
    start: served(slowly(1500)),
    options: { timeoutMs: 400 },
  },
  {
    what: 'an answer that breaks off',
    code: 'ResponseReadError',
    start: served((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"status":')
      setTimeout(() => response.destroy(), 30)
    }),
  },
  {
    what: 'a self-signed certificate',
    code: 'SelfSignedCertificate',
    start: async () => at(await listen(healthy, createCertificate('127.0.0.1'))),
  },
  {
    what: 'a certificate that has expired',
    code: 'SelfSignedCertificate',
    start: async () => at(await listen(healthy, createCertificate('127.0.0.1', { expired: true }))),
  },
  {
    what: 'https to a port without TLS',
    code: 'UnknownBridgeNonRequestError',
    start: async () => {
      const { url, stop } = at(await listen(healthy))
      return { url: url.replace('http:', 'https:'), stop }
    },
  },
  {
    what: 'a circle of redirects',
    code: 'MaximumRedirectsExceeded',
    start: answering(302, '', { location: '/api/bridge' }),
  },
  {
    what: 'a redirect to a slash',
    code: 'BridgeRedirected',
    says: /bridge\/ /,
    start: served((request, response) => {
      const [path = '', query = ''] = (request.url ?? '').split('?')
      return path.endsWith('/')
        ? healthy(request, response)
        : void response.writeHead(301, { location: `${path}/?${query}` }).end()
    }),
  },
  {
    what: 'a POST that is redirected to another host',
    code: 'CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT',
    start: served((request, response) =>
      request.method === 'POST'
        ? void response.writeHead(308, { location: 'https://other.example/api/bridge' }).end()
        : healthy(request, response),
    ),
  },
]

/** A proxy that responds instead of the bridge. */
export const answerSetups: readonly Setup[] = [
  {
    what: 'a page in place of the bridge',
    code: 'ResponseParseError',
    start: answering(200, page, { 'content-type': 'text/html' }),
  },
  { what: 'a proxy whose app is down', code: 'BridgeEndpointNotFound', start: answering(502, page) },
  { what: 'an app that fails outside the bridge', code: 'UnknownBridgeRequestError', start: answering(500, page) },
  {
    what: 'a route for GET only',
    code: 'BridgeMethodNotConfigured',
    start: behind((_request, response) => void response.writeHead(404).end('Cannot POST')),
  },
  {
    what: 'a route without OPTIONS',
    code: 'BridgeMethodNotConfigured',
    start: served((request, response) =>
      request.method === 'OPTIONS' ? void response.writeHead(405).end() : healthy(request, response),
    ),
  },
  {
    what: 'HEAD served like GET',
    code: 'MethodNotAllowedError',
    start: served((request, response) => {
      if (request.method === 'HEAD') request.method = 'GET'
      healthy(request, response)
    }),
  },
  {
    what: 'a framework that answers PUT itself',
    code: 'MethodNotAllowedError',
    isWarning: true,
    start: served((request, response) =>
      request.method === 'PUT' ? void response.writeHead(405).end() : healthy(request, response),
    ),
  },
  {
    what: 'unknown actions served as a health check',
    code: 'InvalidActionError',
    start: served((request, response) =>
      actionOf(request) === 'trestle-doctor'
        ? void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
        : healthy(request, response),
    ),
  },
  {
    what: 'a cache in front',
    code: 'AnswerCacheable',
    start: served((request, response) => {
      patchHeaders(response, { 'cache-control': 'public, max-age=60' })
      healthy(request, response)
    }),
  },
  { what: 'CORS for everyone', code: 'CrossOriginAllowed', isWarning: true, start: bridge({ cors: '*' }) },
]

/** Replaces headers that the bridge sets. */
function patchHeaders(response: ServerResponse, headers: Record<string, string>): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = ((status: number, given: Record<string, string>) =>
    writeHead(status, { ...given, ...headers })) as typeof response.writeHead
}

export const workflowSetups: readonly Setup[] = [
  { what: 'two workflows of one id', code: 'WorkflowAlreadyExistsError', start: bridge({ workflows: [order, order] }) },
  {
    what: 'two steps of one id',
    code: 'StepAlreadyExistsError',
    start: bridge({
      workflows: [
        workflow('twice', async ({ step }) => {
          await step.sms('text', () => ({ body: 'a' }))
          await step.sms('text', () => ({ body: 'b' }))
        }),
      ],
    }),
  },
  {
    what: 'a workflow that fails on sample data',
    code: 'WorkflowDiscoveryFailedError',
    says: /database is down/,
    start: bridge({ workflows: [order, broken] }),
  },
  { what: 'no workflow', code: 'NoWorkflowsServed', isWarning: true, start: bridge({ workflows: [] }) },
  {
    what: 'a workflow without steps',
    code: 'NoStepsFound',
    isWarning: true,
    start: bridge({ workflows: [workflow('empty', async () => undefined)] }),
  },
  {
    what: 'a handler that fails',
    code: 'StepExecutionFailedError',
    says: /no stock/,
    start: bridge({
      workflows: [
        step('stock', () => {
          throw new Error('no stock')
        }),
      ],
    }),
  },
  {
    what: 'a handler that is too slow',
    code: 'StepExecutionTimeoutError',
    start: bridge({
      timeoutMs: 200,
      workflows: [step('slow', () => new Promise((resolve) => setTimeout(resolve, 2000).unref()))],
    }),
  },
  {
    what: 'a handler that outlasts the service',
    code: 'BridgeRequestTimeout',
    start: bridge({
      timeoutMs: 20_000,
      workflows: [step('slower', () => new Promise((resolve) => setTimeout(resolve, 3000).unref()))],
    }),
    options: { timeoutMs: 500 },
  },
  {
    what: 'a handler that returns what JSON cannot carry',
    code: 'ExecutionStateOutputInvalidError',
    start: bridge({ workflows: [step('big', () => ({ amount: 10n }))] }),
  },
  {
    what: 'a control with a broken template',
    code: 'StepControlCompilationFailedError',
    start: bridge({
      workflows: [
        workflow('template', async ({ step }) => {
          await step.sms('text', ({ body }) => ({ body }), {
            controlSchema: z.object({ body: z.string().default('{{ paylod.id }}') }),
          })
        }),
      ],
    }),
  },
]

export const setups: readonly Setup[] = [
  ...signatureSetups,
  ...bodySetups,
  ...networkSetups,
  ...answerSetups,
  ...workflowSetups,
]
