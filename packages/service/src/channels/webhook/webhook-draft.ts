import type { JsonObject } from '@trestle/protocol'
import type { Problem } from '../../engine/port/channel-port.ts'
import { mergeObjects, readText } from '../../json/json.ts'
import type { Draft, OutgoingRequest } from '../base/delivery.ts'
import type { ProviderOverrides } from '../provider/provider-overrides.ts'
import type { WebhookTarget } from './webhook-target.ts'
import { withQuery } from './with-query.ts'

/** The input of an SMS, a push message, or a tool message. */
export interface WebhookInput {
  /** The translated outputs of the step. */
  readonly outputs: JsonObject
  /** The integration's webhook. */
  readonly target: WebhookTarget
  /** Whether an integration delivers it, so that it needs a webhook. */
  readonly needsUrl: boolean
  /** The overrides of the message. */
  readonly overrides: ProviderOverrides
  /** Data about the message for every receiver: id, run, subscriber and payload. */
  readonly facts: JsonObject
}

/**
 * Returns an SMS for a webhook: `{ to, from, content, ... }`.
 *
 * @param input - Outputs, webhook and overrides.
 * @param phone - The recipient's number.
 * @param from - The sender's number, if the integration has one.
 */
export function draftSms(input: WebhookInput, phone: unknown, from: unknown): Draft {
  const text = readText(input.outputs['body']) ?? ''
  const fields = { to: readText(phone), ...(readText(from) ? { from } : {}), content: text }
  const outgoing = toRequest(input, fields)
  const to = readText(outgoing.body['to'])
  const missing: Problem = {
    code: 'subscriber_phone_missing',
    message: 'The subscriber has no phone number. Store one, or set the override "to".',
    status: 'warning',
  }
  return {
    columns: { content: JSON.stringify(text), phone: to ?? null },
    recipient: to ?? '',
    outgoing,
    ...withProblem(input, to === undefined ? missing : undefined),
    warnings: [],
  }
}

/** The devices of a push message. */
export interface PushTarget {
  /** The recipient's stored devices. A webhook may find others by the subscriber's id. */
  readonly deviceTokens: readonly string[]
  /** Whether the message is kept in the outbox. */
  readonly isKept: boolean
}

/** The warning about a push message in the outbox that no provider could deliver. */
export const noDevice = 'The subscriber has no device token, so no provider could deliver this message.'

/**
 * Returns a push message for a webhook: `{ target, title, content, ... }`.
 *
 * @param input - Outputs, webhook and overrides.
 * @param to - The recipient's devices.
 */
export function draftPush(input: WebhookInput, { deviceTokens, isKept }: PushTarget): Draft {
  const title = readText(input.outputs['subject']) ?? ''
  const content = readText(input.outputs['body']) ?? ''
  return {
    columns: { title, content: JSON.stringify(content), deviceTokens: JSON.stringify(deviceTokens) },
    recipient: String(input.facts['subscriberId'] ?? ''),
    outgoing: toRequest(input, { target: deviceTokens, title, content }),
    ...withProblem(input, undefined),
    warnings: isKept && deviceTokens.length === 0 ? [noDevice] : [],
  }
}

/**
 * Returns a message of an operations tool for a webhook: `{ content, ... }`.
 *
 * @param input - Outputs, webhook and overrides.
 */
export function draftTool(input: WebhookInput): Draft {
  const content = readText(input.outputs['body']) ?? ''
  return {
    columns: { content: JSON.stringify(content) },
    recipient: String(input.facts['subscriberId'] ?? ''),
    outgoing: toRequest(input, { content }),
    ...withProblem(input, undefined),
    warnings: [],
  }
}

/**
 * Returns the request that sends a message to a webhook.
 *
 * @param input - Webhook, data and overrides.
 */
export function toRequest({ target, facts, overrides }: WebhookInput, fields: JsonObject): OutgoingRequest {
  const { url, headers, ...rest } = target
  return {
    kind: 'request',
    method: 'POST',
    url: url === undefined ? '' : withQuery(url, overrides.query),
    headers: { ...headers, ...overrides.headers },
    body: mergeObjects(facts, fields, overrides.fields, overrides.body),
    ...rest,
  }
}

/**
 * Returns an earlier problem, or the problem of an integration without a webhook.
 *
 * @param earlierProblem - The earlier problem.
 */
export function withProblem(
  { target, needsUrl }: WebhookInput,
  earlierProblem: Problem | undefined,
): { readonly problem?: Problem } {
  const missing: Problem = {
    code: 'webhook_url_missing',
    message: 'The integration has no "webhookUrl" in its credentials.',
    status: 'error',
  }
  const problem = earlierProblem ?? (needsUrl && target.url === undefined ? missing : undefined)
  return problem ? { problem } : {}
}
