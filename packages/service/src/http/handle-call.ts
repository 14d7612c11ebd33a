import { admit, maxUrlLength } from '../access/admit.ts'
import { type AuditCallPorts, auditCall } from '../access/audit-call.ts'
import { findCaller } from '../access/find-caller.ts'
import type { Caller, Identification } from '../access/identify.ts'
import { answerPreflight, isInboxPath, isPreflight, type PageOrigin, readPageOrigin } from '../access/page-origin.ts'
import type { SubscriberLimiter } from '../access/subscriber-limit.ts'
import { ApiError } from '../api/api-error.ts'
import { toIgnoredHeader } from '../api/drop-idle.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { Mount } from '../config/shape/kinds.ts'
import type { Proof } from '../context/open-call.ts'
import { isReply, type Operation } from '../context/operation.ts'
import type { CallContext, ServiceContext } from '../context/service-context.ts'
import { toObject } from '../json/json.ts'
import { loopHeader } from '../outbound/service-outbound.ts'
import { forReading, inTurn } from '../store/in-turn.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import { compressReply } from './compress-reply.ts'
import { jsonHeaders, toErrorReply } from './error-reply.ts'
import { answerOnce, hashRequest, readKey } from './idempotency.ts'
import { readOpenBody } from './open-body.ts'
import { parseInput } from './parse-input.ts'
import { takeTokens } from './rate-limit.ts'
import type { Match, Router } from './router.ts'
import { takeUntil } from './take-until.ts'

/** Answers requests other than operations. */
export interface Page {
  /** Rejects unauthorized callers. */
  readonly admit?: (call: HttpCall) => Promise<void> | void
  readonly answer: Mount
}

/** Dependencies for answering calls. */
export interface HttpService {
  readonly context: ServiceContext
  readonly router: Router
  /** Dependencies for identifying callers. */
  readonly identification: Identification
  /** Limits the requests of subscribers. */
  readonly limiter: SubscriberLimiter
  /** Records changes in the audit log; undefined if accounts are off. */
  readonly audited: AuditCallPorts | undefined
  /** Returns the page of a method and path; undefined for operations. */
  readonly findPage: (method: string, path: string) => Page | undefined
}

/** An answered call, for logs and metrics. */
export interface Answered {
  readonly reply: HttpReply
  /** The operation, if one matched. */
  readonly operation: Pick<Operation, 'name' | 'path'> | undefined
}

interface Call extends Match, Received {
  readonly http: HttpCall
  readonly requestId: string
}

/**
 * Answers any call; never rejects. The stages are: admission, route, authentication, body, idempotency, rate limit,
 * input, operation.
 *
 * @param requestId - Identifies the call in the log.
 */
export async function handleCall(service: HttpService, http: HttpCall, requestId: string): Promise<Answered> {
  const { context } = service
  const headers: Record<string, string> = { 'x-request-id': requestId }
  let operation: Operation | undefined
  const fail = (thrown: unknown): HttpReply =>
    toErrorReply(thrown, { path: http.url.slice(0, maxUrlLength), nowMs: context.clock.now() }, (fault, errorId) =>
      context.logger.error({ err: fault, errorId, requestId, operation: operation?.name }, 'a request failed'),
    )
  try {
    admit(http, service.identification.admission())
    refuseOwn(http, context)
    // HEAD is handled like GET; its body is not sent.
    const method = http.method === 'HEAD' ? 'GET' : http.method
    const page = service.findPage(method, pathOf(http.url))
    await page?.admit?.(http)
    if (page) return { reply: addHeaders(await page.answer(http), headers), operation: undefined }
    const origin = isInboxPath(pathOf(http.url)) ? await readPageOrigin(context.store.db, http) : undefined
    Object.assign(headers, origin?.headers)
    if (origin && isPreflight(http)) return { reply: addHeaders(answerPreflight(http), headers), operation: undefined }
    const match = service.router.match(method, pathOf(http.url))
    operation = match.operation
    const call: Call = { ...match, ...(await receive(service, match, { http, origin })), http, requestId }
    const answer = () => run(service, call, headers).catch(fail)
    const reply = endWhenRevoked(service, call, await once(context, call, answer))
    return { reply: await compressReply(http, addHeaders(reply, headers)), operation }
  } catch (thrown) {
    return { reply: addHeaders(fail(thrown), headers), operation }
  }
}

/** A request of the service itself that returned through a proxy or a tunnel. */
function refuseOwn({ header }: HttpCall, { organizationId }: ServiceContext): void {
  if (header(loopHeader) === organizationId) throw new ApiError(403, 'The service does not call itself.')
}

const addHeaders = (reply: HttpReply, headers: HttpReply['headers']): HttpReply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
const queryOf = (url: string): string => url.slice(pathOf(url).length + 1)

interface Received extends Caller {
  readonly body: Uint8Array
  /** What a call without a key has proved. */
  readonly proof?: Proof
}

interface Incoming {
  readonly http: HttpCall
  readonly origin: PageOrigin | undefined
}

/** The caller is identified before the body is read; without a key, as far as possible. */
async function receive(
  service: HttpService,
  { operation, params }: Match,
  { http, origin }: Incoming,
): Promise<Received> {
  const { context } = service
  const { open, maxBodyBytes = context.settings.maxBodyBytes } = operation
  if (!open) {
    const caller = await findCaller(service, operation, http)
    origin?.check(caller.environment.id)
    return { ...caller, body: await http.readBody(maxBodyBytes) }
  }
  const input = { params, query: new URLSearchParams(queryOf(http.url)), header: (name: string) => http.header(name) }
  await open.admit?.(context, input)
  const body = await readOpenBody(http, maxBodyBytes)
  const proof = await open.prove(context, { ...input, body })
  const { environmentId: id } = proof
  origin?.check(id)
  const { db } = context.store
  const environment = await db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirst()
  if (!environment) throw new ApiError(401, 'The environment of the call was deleted.')
  return { environment, body, proof }
}

/** A stream ends when its key, its studio session or the role that it needs is revoked. */
function endWhenRevoked(service: HttpService, { http, session, operation }: Call, reply: HttpReply): HttpReply {
  const { body } = reply
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array || session) return reply
  const { revocations } = service.context
  const revoked = revocations.whenRevoked(() => findCaller(service, operation, http), http.signal)
  return { ...reply, body: takeUntil(body, revoked) }
}

/** Idempotency only applies to requests with a secret key, and only if the service enables it. */
async function once(context: ServiceContext, call: Call, answer: () => Promise<HttpReply>): Promise<HttpReply> {
  const { http, environment, keyId, body } = call
  if (call.operation.handlesIdempotency || !context.settings.idempotency || keyId === undefined) return answer()
  const key = readKey(http.method, http.header('idempotency-key'))
  if (key === undefined) return answer()
  const parts = { environmentId: environment.id, method: http.method, url: http.url, body }
  const ports = { db: context.store.db, vault: context.vault, now: () => context.clock.now() }
  return answerOnce({ key, hash: hashRequest(parts) }, ports, answer)
}

async function run(service: HttpService, call: Call, headers: Record<string, string>): Promise<HttpReply> {
  const { operation } = call
  await takeShare(service, call, headers)
  try {
    const result = await perform(service, call, headers)
    const reply = toReply(operation, result)
    if (!operation.hideSecret) return reply
    return { ...reply, replayBody: String(toReply(operation, operation.hideSecret(result)).body) }
  } catch (thrown) {
    if (!operation.refusal || !(thrown instanceof ApiError) || thrown.status >= 500) throw thrown
    return { status: 400, headers: jsonHeaders, body: JSON.stringify({ message: operation.refusal(thrown) }) }
  }
}

async function takeShare(
  { context, limiter }: HttpService,
  call: Call,
  headers: Record<string, string>,
): Promise<void> {
  const { operation, environment, session, proof } = call
  const subscriber = session?.subscriber.id ?? (proof?.subscriberId && `${environment.id} ${proof.subscriberId}`)
  if (subscriber) {
    Object.assign(headers, limiter.take(subscriber, operation))
    return
  }
  const { store, settings, clock } = context
  const options = { store, plan: settings.plan, nowMs: clock.now() }
  const verdict = await takeTokens(operation, bucketOf(context, environment), options)
  Object.assign(headers, verdict.headers)
  if (verdict.refusal) throw verdict.refusal
}

/** Environments created by keys share one bucket, because otherwise each new key would raise the limit. */
const bucketOf = ({ ownEnvironmentIds, organizationId }: ServiceContext, { id }: EnvironmentRow): string =>
  ownEnvironmentIds.has(id) ? id : organizationId

async function perform(service: HttpService, call: Call, headers: Record<string, string>): Promise<unknown> {
  const { context } = service
  const { operation, environment, session, person, keyId, http, requestId, params, body } = call
  const query = queryOf(http.url)
  const [contentType, contentEncoding] = [http.header('content-type'), http.header('content-encoding')]
  const input = await parseInput(operation, { params, body, query, contentType, contentEncoding })
  if (input.ignored.length > 0) headers['ignored-input'] = toIgnoredHeader(input.ignored)
  const callContext: CallContext = {
    ...context,
    store: onlyReads(operation) ? forReading(inTurn(context.store)) : inTurn(context.store),
    environment,
    session,
    person,
    by: person?.email ?? (keyId === undefined ? 'Studio' : `Secret key ${keyId}`),
    requestId,
    header: (name) => http.header(name),
    signal: http.signal,
  }
  const changing = { ...call, params: toObject(input.params), body: input.body }
  return auditCall(service.audited, changing, async () => operation.handler(callContext, input))
}

/**
 * OAuth responses arrive by GET and are stored, so they need the read-write database. A stream has no result and polls
 * for changes.
 */
const onlyReads = ({ method, open, output }: Operation): boolean =>
  method === 'GET' && open === undefined && output !== undefined

function toReply(operation: Operation, result: unknown): HttpReply {
  const { status, body, headers } = isReply(result)
    ? result
    : { status: operation.status ?? 200, body: result, headers: {} }
  if (status === 204) return { status, headers: { ...jsonHeaders, ...headers }, body: undefined }
  if (headers && 'content-type' in headers)
    return { status, headers, body: body as string | AsyncIterable<string> | undefined }
  if (status >= 300 && status < 400) return { status, headers: { ...jsonHeaders, ...headers }, body: '{}' }
  if (operation.isText)
    return { status, headers: { ...jsonHeaders, 'content-type': 'text/plain; charset=utf-8' }, body: String(body) }
  const sent = operation.wrapped ? { data: body } : body
  const text = JSON.stringify(sent)
  if (text === undefined) throw new ApiError(500, 'The operation has no result.')
  return { status, headers: { ...jsonHeaders, ...headers }, body: text }
}
