import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '@trestle/protocol'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'

/** The prefix of interactive block ids of a card; the message id follows. */
export const cardPrefix = 'trestle.card.'

/** The prefix of ids of elements that need no answer: buttons that open a page. */
export const linkPrefix = 'trestle.link.'

/** Deeper than any part that is shown. */
const maxDepth = 100
const interactive: readonly unknown[] = ['button', 'select', 'radio_select']

/**
 * Returns the block id of a card. Slack requires a new one whenever a message has changed, because it keeps selections
 * in a block with the same id.
 *
 * @param message - The message with the card.
 * @param place - The position of the block in the message, from 0.
 */
export function toBlockId({ id, editedAt }: ConversationMessageRow, place: number): string {
  return `${cardPrefix}${id}.${editedAt ?? 0}.${place}`
}

/**
 * Parses the message's row id in a block id from {@link toBlockId}.
 *
 * @param blockId - The id of a block.
 */
export function readMessageId(blockId: string): string {
  return blockId.slice(cardPrefix.length).split('.', 1)[0] ?? ''
}

/**
 * Returns the action id of a card's part. It includes a hash of the part's content, because the agent's own ids may
 * repeat, and the card may have been edited before the click arrives.
 *
 * @param place - Its position in the block, because Slack requires unique ids.
 */
export function toActionId(part: JsonObject, place: number): string {
  return `${toDigest(part)}.${place}`
}

/**
 * Finds the part of a card with an id from {@link toActionId}.
 *
 * @returns The part; `undefined` if the card does not contain it, or no longer does.
 */
export function findPart(card: unknown, actionId: string): JsonObject | undefined {
  const digest = actionId.split('.', 1)[0]
  return listParts(card, 0).find((part) => part['disabled'] !== true && toDigest(part) === digest)
}

function listParts(part: unknown, depth: number): readonly JsonObject[] {
  if (!isObject(part) || depth > maxDepth) return []
  if (interactive.includes(part['type'])) return [part]
  const children: readonly unknown[] = Array.isArray(part['children']) ? part['children'] : []
  return children.flatMap((child) => listParts(child, depth + 1))
}

const toDigest = (part: JsonObject): string =>
  createHash('sha256').update(JSON.stringify(part)).digest('base64url').slice(0, 22)
