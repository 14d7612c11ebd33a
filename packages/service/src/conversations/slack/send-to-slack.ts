import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import type { Vault } from '../../secrets/vault.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import type { Session, Store } from '../../store/store.ts'
import type { Delivered } from '../delivery/agent-event.ts'
import type { DeliverySender } from '../delivery/delivery-outcome.ts'
import { callSlack, type SlackRequest, type SlackResult } from './call-slack.ts'
import { toEmojiName } from './emoji-name.ts'
import { readId } from './read-slack-call.ts'
import { findSlackIntegrations } from './slack-integration.ts'
import { toSlackMessage } from './slack-message.ts'

/** Dependencies for calling Slack. */
export interface SlackSenderPorts {
  readonly store: Store
  readonly vault: Vault
  /** Sends requests, under the network policy. */
  readonly outbound: Outbound
}

const maxAttempts = 8
const firstRetryMs = 1_000
const longestRetryMs = 60_000

/**
 * Creates the sender of agent actions to Slack. Temporary failures are retried when Slack asks for it, up to eight
 * times.
 *
 * @param ports - Dependencies.
 */
export function createSlackSender({ store, vault, outbound }: SlackSenderPorts): DeliverySender {
  return async (delivered, signal) => {
    const { conversation, delivery } = delivered
    const request = await toRequest(store.db, delivered)
    if (!request) return { attempts: 0 }
    const { environmentId, integrationIdentifier: identifier } = conversation
    const [integration] = await findSlackIntegrations({ db: store.db, vault }, { identifier, environmentId })
    if (!integration) {
      const message = `No active Slack integration "${identifier}" for agents exists.`
      return { attempts: 1, fault: { code: 'integration_not_found', message } }
    }
    const { answer, fault, ...rest } = await callSlack(outbound, integration, { ...request, signal })
    if (fault) return { attempts: 1, fault, ...toRetry(rest, delivery.attempts + 1) }
    const ts = readId(answer?.['ts'])
    return { attempts: 1, ...(request.method === 'chat.postMessage' && ts ? { platformMessageId: ts } : {}) }
  }
}

function toRetry({ isTransient, retryAfterMs = 0 }: SlackResult, attempts: number): { readonly retryMs?: number } {
  if (!isTransient || attempts >= maxAttempts) return {}
  return { retryMs: Math.max(retryAfterMs, Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs)) }
}

/** Returns the call for a delivery; undefined if nothing is left to do. */
async function toRequest(db: Session, { conversation, delivery }: Delivered): Promise<SlackRequest | undefined> {
  const message = await db
    .selectFrom('conversationMessages')
    .selectAll()
    .where('id', '=', delivery.messageId ?? '')
    .executeTakeFirst()
  if (!message) return undefined
  const { channel = '', threadTs } = JSON.parse(conversation.platformContext) as { channel?: string; threadTs?: string }
  const ts = message.platformMessageId
  if (delivery.event === 'delete') return ts === null ? undefined : { method: 'chat.delete', body: { channel, ts } }
  if (message.deletedAt !== null) return undefined
  if (delivery.event === 'react') {
    const { emoji = '' } = JSON.parse(delivery.body) as { emoji?: string }
    const body = { channel, timestamp: ts, name: toEmojiName(emoji) }
    return ts === null ? undefined : { method: 'reactions.add', body }
  }
  if (delivery.event === 'update' && ts !== null && (await isOvertaken(db, { conversation, delivery })))
    return undefined
  const content = await toContent(db, message)
  if (delivery.event === 'update' && ts !== null) return { method: 'chat.update', body: { channel, ts, ...content } }
  // A message that is edited before it is posted is posted in its current form; if posting it failed, the edit posts
  // it.
  return ts === null ? { method: 'chat.postMessage', body: { channel, thread_ts: threadTs, ...content } } : undefined
}

async function toContent(db: Session, message: ConversationMessageRow): Promise<JsonObject> {
  if (message.role !== 'agent' || message.questionId === null) return toSlackMessage(message)
  const question = await db
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('messageId', '=', message.id)
    .executeTakeFirst()
  return toSlackMessage(message, question)
}

/** An edit followed by another one is skipped, because Slack's rate limits would slow down streams. */
async function isOvertaken(db: Session, { delivery }: Delivered): Promise<boolean> {
  const later = await db
    .selectFrom('conversationDeliveries')
    .select('id')
    .where('conversationId', '=', delivery.conversationId)
    .where('target', '=', 'platform')
    .where('status', '=', 'pending')
    .where('position', '>', delivery.position)
    .where('messageId', '=', delivery.messageId)
    .where('event', 'in', ['update', 'delete'])
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}
