import { isObject, type JsonObject } from '@trestle/protocol'
import type { Problem } from '../../engine/port/channel-port.ts'
import { compact, mergeObjects, readText } from '../../json/json.ts'
import type { Draft } from '../base/delivery.ts'
import type { ProviderOverrides } from '../provider/provider-overrides.ts'
import type { SenderKind } from '../provider/providers.ts'
import type { WebhookTarget } from '../webhook/webhook-target.ts'
import { withQuery } from '../webhook/with-query.ts'
import { toCardText } from './card-text.ts'
import { toDiscordMessage } from './discord-message.ts'
import { toSlackBlocks } from './slack-blocks.ts'
import { maxText, toFittingBlocks } from './slack-fitting.ts'
import { ownNames } from './slack-names.ts'
import { shortenMrkdwn, toSections } from './slack-sections.ts'
import { escapeSlack } from './slack-text.ts'

/** The input of a chat message. */
export interface ChatInput {
  /** The translated outputs of the step: `body`, `card`, or both. */
  readonly outputs: JsonObject
  /** The format of the receiver. */
  readonly sender: SenderKind
  /** The incoming webhook; without a URL if there is none. */
  readonly target: WebhookTarget
  /** The overrides of the message. */
  readonly overrides: ProviderOverrides
  /** The recipient, for messages without a known webhook. */
  readonly subscriberId: string
  /** Data about the message, for receivers without their own format. */
  readonly facts: JsonObject
}

const noKeys: WebhookTarget = { url: undefined, headers: {} }

/** Makes Discord return the message, so that its id can be stored. */
const discordWait: Readonly<Record<string, string>> = { wait: 'true' }

/**
 * Returns the message of a chat step, in the format of the receiver's incoming webhook.
 *
 * @param input - The outputs, the receiver and the overrides.
 */
export function draftChat(input: ChatInput): Draft {
  const { outputs, sender, overrides } = input
  const { webhookUrl: otherUrl, ...fields } = overrides.fields
  const url = readText(otherUrl) ?? input.target.url
  // Only a webhook without its own format authenticates the service, and a URL from an override must not receive the
  // keys.
  const { url: _, headers, ...keys } = sender === 'webhook' && url === input.target.url ? input.target : noKeys
  const card = isObject(outputs['card']) ? outputs['card'] : undefined
  const text = readText(outputs['body']) ?? toCardText(card)
  const body = mergeObjects(toForm(sender, { text, card, outputs, facts: input.facts }), fields, overrides.body)
  const query = { ...(sender === 'discord' ? discordWait : {}), ...overrides.query }
  const problem: Problem | undefined =
    url === undefined && sender !== 'none' && sender !== 'api'
      ? {
          code: 'webhook_url_missing',
          message: 'The subscriber has no webhook. Store one in its credentials or in those of the integration.',
          status: 'warning',
        }
      : undefined
  return {
    columns: { content: JSON.stringify(text), data: card ? JSON.stringify({ card }) : null },
    recipient: input.subscriberId,
    outgoing: {
      kind: 'request',
      method: 'POST',
      url: url === undefined ? '' : withQuery(url, query),
      headers: { ...headers, ...overrides.headers },
      body,
      ...(sender === 'discord' ? { idPath: 'id' } : keys),
    },
    ...(problem ? { problem } : {}),
    warnings: [],
  }
}

interface Content {
  readonly text: string
  readonly card: JsonObject | undefined
  readonly outputs: JsonObject
  readonly facts: JsonObject
}

function toForm(sender: SenderKind, { text, card, outputs, facts }: Content): JsonObject {
  if (sender === 'slack') {
    const lead = readText(outputs['body'])
    const blocks = card && toFittingBlocks([...toSections(lead ?? ''), ...toSlackBlocks(card, ownNames)])
    // With blocks, the text is only shown in notifications; without blocks, the body uses Slack's own markup.
    return compact(blocks ? { text: shortenMrkdwn(lead ?? escapeSlack(text), maxText), blocks } : { text })
  }
  if (sender === 'teams') return toTeamsCard(text)
  if (sender === 'discord') return toDiscordMessage(readText(outputs['body']), card)
  return compact({ ...facts, text, card })
}

/** Wraps a text in an adaptive card, because Teams accepts nothing else. */
function toTeamsCard(text: string): JsonObject {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text, wrap: true }],
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}
