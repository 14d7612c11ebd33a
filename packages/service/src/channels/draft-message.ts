import { compact, readText } from '../json/json.ts'
import type { Session } from '../store/store.ts'
import { apiOf } from './apis/api-request.ts'
import type { Delivery, Draft } from './base/delivery.ts'
import { draftChat } from './chat/chat-draft.ts'
import { draftForApi, messageOverrides } from './draft-for-api.ts'
import { draftEmail } from './email/email-draft.ts'
import { draftInApp } from './in-app/in-app-draft.ts'
import { placeInFeed } from './in-app/place-in-feed.ts'
import type { Destination } from './provider/destinations.ts'
import { findIgnored, type ProviderOverrides, resolveOverrides } from './provider/provider-overrides.ts'
import { draftPush, draftSms, draftTool, toRequest, type WebhookInput, withProblem } from './webhook/webhook-draft.ts'
import { readWebhookTarget, type WebhookTarget } from './webhook/webhook-target.ts'

/** The input of a draft. */
export interface DraftInput {
  readonly delivery: Delivery
  readonly destination: Destination
  /** Row id of the message. */
  readonly messageId: string
}

/**
 * Returns the message of a step for one integration, in the format of its provider.
 *
 * @param tx - The transaction, which reads feeds.
 * @param input - The delivery and its destination.
 */
export async function draftMessage(tx: Session, input: DraftInput): Promise<Draft> {
  const { delivery, destination } = input
  const api = apiOf(destination.sender === 'api' ? destination.providerId : '')
  const drafted = await draftContent(tx, input)
  const overrides = resolveOverrides(delivery, destination.providerId)
  const providerDraft = api ? draftForApi({ api, draft: drafted, destination, overrides }) : drafted
  const ignored = findIgnored(delivery, destination.providerId)
  const draft =
    ignored.length > 0 ? { ...providerDraft, warnings: [...providerDraft.warnings, ...ignored] } : providerDraft
  return destination.problem ? { ...draft, problem: destination.problem } : draft
}

async function draftContent(tx: Session, input: DraftInput): Promise<Draft> {
  const { delivery, destination } = input
  const { outputs, subscriber, job } = delivery
  switch (job.type) {
    case 'email':
      return draftMail(input)
    case 'chat':
      return draftChat({
        outputs,
        sender: destination.sender,
        target: toTarget(destination),
        overrides: overridesOf(input),
        subscriberId: subscriber.subscriberId,
        facts: destination.sender === 'webhook' ? toFacts(input) : {},
      })
    case 'sms':
      return draftSms(toWebhookInput(input), subscriber.phone, destination.credentials['from'])
    case 'push':
      return draftPush(toWebhookInput(input), {
        deviceTokens: destination.deviceTokens,
        isKept: destination.sender === 'none',
      })
    case 'tool':
      return draftTool(toWebhookInput(input))
    case 'in_app':
      return draftInbox(tx, delivery)
  }
}

async function draftInbox(tx: Session, delivery: Delivery): Promise<Draft> {
  const draft = draftInApp(delivery.outputs, delivery.subscriber.subscriberId)
  const { feedId, warning } = await placeInFeed(tx, delivery)
  return {
    ...draft,
    columns: { ...draft.columns, feedId },
    warnings: [...draft.warnings, ...(warning === undefined ? [] : [warning])],
  }
}

function draftMail(input: DraftInput): Draft {
  const { delivery, destination, messageId } = input
  const { outputs, mail } = delivery
  const { credentials, sender } = destination
  const draft = draftEmail({
    outputs: mail ? { ...outputs, body: mail.html } : outputs,
    address: delivery.subscriber.email,
    sender: {
      ...optional('from', credentials['from']),
      ...optional('senderName', credentials['senderName']),
      ...optional('replyTo', credentials['replyTo']),
    },
    overrides: overridesOf(input),
    payload: delivery.run.payload,
    messageId,
    needsSender: sender === 'smtp' || sender === 'api',
  })
  const warnings = [...(mail?.warnings ?? []), ...draft.warnings]
  const firstProblem = mail?.problem ?? draft.problem
  const problem = firstProblem && { problem: firstProblem }
  if (sender !== 'webhook' || draft.outgoing?.kind !== 'mail') return { ...draft, warnings, ...problem }
  const webhook = toWebhookInput(input)
  const outgoing = toRequest({ ...webhook, overrides: { ...webhook.overrides, fields: {} } }, draft.outgoing.mail)
  return { ...draft, warnings, outgoing, ...withProblem(webhook, firstProblem) }
}

function toWebhookInput(input: DraftInput): WebhookInput {
  const { delivery, destination } = input
  const { sender } = destination
  return {
    outputs: delivery.outputs,
    target: toTarget(destination),
    needsUrl: sender !== 'none' && sender !== 'api',
    overrides: overridesOf(input),
    facts: toFacts(input),
  }
}

/** Returns the webhook of a destination. A recipient's own webhook must not learn the keys of the integration. */
function toTarget({ credentials, webhookUrl }: Destination): WebhookTarget {
  const target = readWebhookTarget(credentials)
  return webhookUrl === undefined || webhookUrl === target.url ? target : { url: webhookUrl, headers: {} }
}

/** Removes fields of a provider's own API, which are not part of the message itself. */
function overridesOf({ delivery, destination }: DraftInput): ProviderOverrides {
  const overrides = resolveOverrides(delivery, destination.providerId)
  return destination.sender === 'api' ? messageOverrides(overrides, delivery.job.type === 'email') : overrides
}

/** Returns the data sent to every webhook that has no special format. */
function toFacts({ delivery, messageId }: DraftInput): Readonly<Record<string, unknown>> {
  const { run, subscriber, job } = delivery
  const { subscriberId, firstName, lastName, email, phone, locale, data } = subscriber
  return {
    messageId,
    transactionId: run.transactionId,
    workflowId: run.workflowIdentifier,
    stepId: job.stepId,
    subscriberId,
    subscriber: compact({ subscriberId, firstName, lastName, email, phone, locale, data }),
    payload: run.payload,
  }
}

function optional<TName extends string>(name: TName, value: unknown): { readonly [key in TName]?: string } {
  const text = readText(value)
  return text === undefined ? {} : ({ [name]: text } as { readonly [key in TName]?: string })
}
