import type { JsonObject } from '@trestle/protocol'
import { mergeObjects, readText } from '../../json/json.ts'
import type { Draft, OutgoingRequest, Problem } from '../base/delivery.ts'
import type { ProviderOverrides } from '../provider/provider-overrides.ts'
import type { WebhookTarget } from './webhook-target.ts'
import { withQuery } from './with-query.ts'

/** The parts of an SMS, a push message, or a message of a tool. */
export interface WebhookInput {
  /** The step's outputs, translated. */
  readonly outputs: JsonObject
  /** The integration's webhook. */
  readonly target: WebhookTarget
  /** Whether an integration delivers it, so that it needs a webhook. */
  readonly needsUrl: boolean
  /** The overrides of the message. */
  readonly overrides: ProviderOverrides
  /** Facts about the message that every receiver gets: its id, run, subscriber and payload. */
  readonly facts: JsonObject
}

/**
 * Returns an SMS for a webhook: `{ to, from, content, ... }`.
 *
 * @param input - Outputs, webhook and overrides.
 * @param phone - The recipient's number.
 * @param from - The sender's number, where the integration has one.
 */
export function draftSms(input: WebhookInput, phone: unknown, from: unknown): Draft {
  const text = readText(input.outputs['body']) ?? ''
  const fields = { to: readText(phone), ...(readText(from) ? { from } : {}), content: text }
  const outgoing = toRequest(input, fields)
  const to = readText(outgoing.body['to'])
  const missing: Problem = {
    code: 'subscriber_phone_missing',
    message: 'The subscriber has no phone number. Store one, or name one in the override "to".',
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

/**
 * Returns a push message for a webhook: `{ target, title, content, ... }`.
 *
 * @param input - Outputs, webhook and overrides.
 * @param deviceTokens - The recipient's devices, as far as they are stored.
 */
export function draftPush(input: WebhookInput, deviceTokens: readonly string[]): Draft {
  const title = readText(input.outputs['subject']) ?? ''
  const content = readText(input.outputs['body']) ?? ''
  return {
    columns: { title, content: JSON.stringify(content), deviceTokens: JSON.stringify(deviceTokens) },
    recipient: String(input.facts['subscriberId'] ?? ''),
    outgoing: toRequest(input, { target: deviceTokens, title, content }),
    ...withProblem(input, undefined),
    warnings: [],
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
 * Returns the request that carries a message to a webhook.
 *
 * @param input - Webhook, facts and overrides.
 * @param fields - The message itself.
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
 * Returns the problem of a message whose integration has no webhook, or the one that was found before.
 *
 * @param input - The message.
 * @param found - What was found before.
 */
export function withProblem(
  { target, needsUrl }: WebhookInput,
  found: Problem | undefined,
): { readonly problem?: Problem } {
  const missing: Problem = {
    code: 'webhook_url_missing',
    message: 'The integration has no "webhookUrl" in its credentials.',
    status: 'error',
  }
  const problem = found ?? (needsUrl && target.url === undefined ? missing : undefined)
  return problem ? { problem } : {}
}
