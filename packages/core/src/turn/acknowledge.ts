import { type AgentEvent, CodedError } from '@trestle/protocol'
import { findAgent, type Registry } from '../bridge/registry.ts'
import type { ReceivedAgentEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { invalidBody } from '../call/parse.ts'
import { resolveApiUrl } from '../config/service-preset.ts'
import { apiFailed } from '../trigger/create-api.ts'
import { createDeliveryMemory, type DeliveryMemory } from './delivery-memory.ts'
import { keepAwake } from './keep-awake.ts'
import { parseAgentEvent, parseEventName } from './parse-agent-event.ts'
import { postReply, type ReplyTarget } from './reply/post-reply.ts'
import { checkReplyAddress, isLoopback } from './reply/reply-address.ts'
import { runTurn } from './run-turn.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

const maxDeliveries = 10_000
const maxWaitingOfOne = 100
const maxWaitingBytes = 64 * 1024 * 1024

/** The state of conversations that a bridge keeps between calls. */
interface Conversations {
  readonly queue: TurnQueue
  readonly deliveries: DeliveryMemory
}

const conversationsOf = new WeakMap<Registry, Conversations>()

/**
 * Accepts an event for an agent, and responds immediately. All checks come first, because the service does not resend
 * an acknowledged event.
 *
 * @throws CodedError - `AgentNotFoundError`, `AgentAlreadyExistsError`, `InvalidActionError`,
 *   `RequestBodyInvalidError`, `MissingSecretKeyError`, `ApiRequestFailedError`, `AgentBusyError`.
 * @source bridge-protocol.md#replies, protocol.md#events
 */
export async function acknowledge(
  registry: Registry,
  received: ReceivedAgentEvent,
  scope: CallScope,
): Promise<{ readonly status: 'ack' }> {
  const agent = findAgent(registry, received.agentId)
  const name = parseEventName(received.event)
  const event = await parseAgentEvent(received.body, name, agent)
  const account = resolveAccount(registry, scope)
  const target = toTarget(registry, { received, event, account })
  const { queue, deliveries } = findConversations(registry)
  const delivery = JSON.stringify([agent.id, event.deliveryId])
  if (deliveries.has(delivery)) return { status: 'ack' }
  const { notices, settings } = registry
  const report = { action: received.action, workflowId: undefined, stepId: undefined, agentId: agent.id }
  const run = (): Promise<void> =>
    runTurn({
      ...{ agent, name, event, account, notices },
      post: (reply, signal) => postReply(target, reply, signal),
      onError: (error) =>
        notices.guard('onError', () => settings.hooks?.onError?.(error, { ...report, code: undefined }, scope.info)),
    })
  const done = queue.add(JSON.stringify([agent.id, event.conversationId]), received.byteLength, run)
  if (!done) throw busy()
  deliveries.add(delivery)
  keepAwake(registry, received.waitUntil, done)
  return { status: 'ack' }
}

function findConversations(registry: Registry): Conversations {
  const existingConversations = conversationsOf.get(registry)
  if (existingConversations) return existingConversations
  const { running = 100, waiting = 1000 } = registry.settings.turnLimits ?? {}
  const limits = { running, waiting, waitingOfOne: maxWaitingOfOne, waitingBytes: maxWaitingBytes }
  const conversations = { queue: createTurnQueue(limits), deliveries: createDeliveryMemory(maxDeliveries) }
  conversationsOf.set(registry, conversations)
  return conversations
}

interface Account {
  readonly secretKey: string
  readonly apiUrl: string
}

function resolveAccount({ settings }: Registry, { secrets: [secretKey], environment }: CallScope): Account {
  if (secretKey === undefined)
    throw new CodedError(
      'MissingSecretKeyError',
      'The replies of an agent need the secret key. Set SERVICE_SECRET_KEY or secretKey.',
    )
  // Other characters cannot be sent in a header, and the fetch error would contain the value.
  if (!/^[\x21-\x7e]+$/.test(secretKey))
    throw apiFailed('The secret key contains characters that are not allowed in a header.')
  const apiUrl = resolveApiUrl(settings.apiUrl, environment, settings.service)
  if (!apiUrl) throw apiFailed('The address of the REST API is not set. Set SERVICE_API_URL or the option apiUrl.')
  return { secretKey, apiUrl }
}

/**
 * Returns where to send replies: the secret is only sent to the configured API, so an event with a different address is
 * rejected.
 */
function toTarget(
  { notices }: Registry,
  {
    received,
    event,
    account,
  }: { readonly received: ReceivedAgentEvent; readonly event: AgentEvent; readonly account: Account },
): ReplyTarget {
  const address = checkReplyAddress(event.replyUrl, account.apiUrl)
  const fault =
    'fault' in address
      ? address.fault
      : received.signed || isLoopback(address.url)
        ? undefined
        : 'must be on this machine if calls need no signature; turn strictAuthentication on'
  if (fault === undefined && 'url' in address) return { url: address.url, secretKey: account.secretKey }
  notices.once(`An agent event was rejected: its replyUrl ${fault}.`)
  throw invalidBody([{ path: '/replyUrl', message: fault ?? 'cannot be used' }])
}

function busy(): CodedError {
  return new CodedError(
    'AgentBusyError',
    'Too many events are waiting for the agents of this bridge. Send the event again later.',
  )
}
