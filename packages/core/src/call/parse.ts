import {
  actionMethods,
  CodedError,
  type Issue,
  isAction,
  isObject,
  type JsonObject,
  maxIssues,
  type Subscriber,
} from '@trestle/protocol'
import { isDeeperThan } from '../base/json.ts'
import type { BridgeEvent, ReceivedEvent, ReceivedTrigger } from './bridge-event.ts'
import { toNextFields, toObject, toState, toText } from './event-parts.ts'
import type { VerifiedCall } from './verify.ts'

const maxDepth = 100
const recipientForms = 'a subscriber id, an object with a subscriberId, a topic with its topicKey'
// Keeps the byte order mark, so that text that JSON does not allow is rejected.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a verified call: its action, then its body.
 *
 * @param call - The call, verified by `verify`.
 * @throws CodedError - `InvalidActionError`, `RequestBodyInvalidError` with all errors.
 * @source bridge-protocol.md#requests, bridge-protocol.md#order-of-checks
 */
export function parse(call: VerifiedCall): BridgeEvent {
  const { action, workflowId, stepId, agentId, event } = call.query
  if (!isAction(action) || actionMethods[action] !== call.method) throw invalidAction(action, call.method)
  if (action === 'health-check' || action === 'discover') return { action }
  const body = parseBody(call.body)
  if (action === 'agent-event') {
    const { signed, call: received } = call
    const byteLength = call.body.byteLength
    return { action, agentId, event, body, byteLength, signed, waitUntil: received.waitUntil }
  }
  if (action === 'trigger') return { action, workflowId, event: toTrigger(body) }
  const received = toEvent(body, call.body)
  return { action, workflowId, stepId, event: action === 'execute' ? withNext(received, body) : received }
}

/**
 * Parses the body of an `execute` or `preview` call again, which returns the same data without any changes by user
 * code.
 */
export function parseEventAgain(bytes: Uint8Array): ReceivedEvent {
  return toEvent(parseBody(bytes), bytes)
}

type Writable<TValue> = { -readonly [K in keyof TValue]: TValue[K] }

function invalidAction(action: string, method: string): CodedError {
  const actions = Object.entries(actionMethods).map(([name, by]) => `${name} (${by})`)
  return new CodedError(
    'InvalidActionError',
    `${JSON.stringify(action.slice(0, 50))} is not an action of ${method} calls. The actions are ${actions.join(', ')}.`,
  )
}

/** @throws CodedError - `RequestBodyInvalidError`: the body is not UTF-8, not a JSON object, or nested too deeply. */
export function parseBody(bytes: Uint8Array): JsonObject {
  let body: unknown
  try {
    body = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const what = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'is not UTF-8'
    throw invalidBody([{ path: '', message: `the body ${what}` }])
  }
  if (!isObject(body)) throw invalidBody([{ path: '', message: 'the body must be a JSON object' }])
  if (isDeeperThan(body, maxDepth))
    throw invalidBody([{ path: '', message: `the body is nested deeper than ${maxDepth} levels` }])
  return body
}

function toEvent(body: JsonObject, bytes: Uint8Array): ReceivedEvent {
  const issues: Issue[] = []
  const part = (name: string): JsonObject => toObject(body[name], name, issues)
  const event: Writable<ReceivedEvent> = {
    payload: body['payload'] ?? {},
    controls: part('controls'),
    state: toState(body['state'], issues),
    subscriber: part('subscriber') as Subscriber,
    context: part('context'),
    env: part('env'),
    body: bytes,
  }
  if (body['actor'] != null) event.actor = part('actor') as Subscriber
  if (body['jobId'] != null) event.jobId = toText(body['jobId'], 'jobId', issues)
  if (body['runId'] != null) event.runId = toText(body['runId'], 'runId', issues)
  if (issues.length > 0) throw invalidBody(issues)
  return event
}

function withNext(event: ReceivedEvent, body: JsonObject): ReceivedEvent {
  if (body['next'] === undefined || body['next'] === null || body['next'] === false) return event
  const issues: Issue[] = []
  const next = toNextFields(body, issues)
  if (issues.length > 0) throw invalidBody(issues)
  return { ...event, next }
}

function toTrigger(body: JsonObject): ReceivedTrigger {
  const issues: Issue[] = []
  const { to, payload, transactionId, overrides, actor, context } = body
  if (to === undefined || to === null) issues.push({ path: '/to', message: 'is required' })
  else if (!isRecipients(to)) issues.push({ path: '/to', message: `must be ${recipientForms}, or a list of these` })
  const event: ReceivedTrigger = {
    to,
    payload: payload ?? {},
    ...(transactionId != null && { transactionId: toText(transactionId, 'transactionId', issues) }),
    ...(overrides != null && { overrides: toObject(overrides, 'overrides', issues) }),
    ...(actor != null && { actor }),
    ...(context != null && { context: toObject(context, 'context', issues) }),
  }
  if (issues.length > 0) throw invalidBody(issues)
  return event
}

function isRecipients(to: unknown): boolean {
  return Array.isArray(to) ? to.length > 0 && to.every(isRecipient) : isRecipient(to)
}

function isRecipient(to: unknown): boolean {
  if (!isObject(to)) return isName(to)
  return isName(to['subscriberId']) || isName(to['topicKey'])
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/**
 * Returns the error for a body that does not have the shape of its action.
 *
 * @param issues - The errors; at least one.
 */
export function invalidBody(issues: readonly Issue[]): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path} ` : ''
  return new CodedError('RequestBodyInvalidError', `The request body is invalid: ${where}${first?.message}.`, {
    data: issues.slice(0, maxIssues),
  })
}
