import { createHash } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../../json/json.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'

/** Begins the ids of the blocks that hold what can be used in a card; the id of the message follows. */
export const cardPrefix = 'trestle.card.'

/** Begins the ids of what needs no answer: buttons that open a page. */
export const linkPrefix = 'trestle.link.'

/** Deeper than any part is shown. */
const maxDepth = 100
const interactive: readonly unknown[] = ['button', 'select', 'radio_select']

/**
 * Returns the id of a block of a card. Slack wants another one whenever a message has changed, since it keeps what was
 * chosen in a block of the same id.
 *
 * @param message - The message with the card.
 * @param place - The place of the block in the message, from 0.
 */
export function toBlockId({ id, editedAt }: ConversationMessageRow, place: number): string {
  return `${cardPrefix}${id}.${editedAt ?? 0}.${place}`
}

/**
 * Returns the row id of the message whose block has an id of {@link toBlockId}.
 *
 * @param blockId - The id of a block.
 */
export function readMessageId(blockId: string): string {
  return blockId.slice(cardPrefix.length).split('.', 1)[0] ?? ''
}

/**
 * Returns the id under which Slack tells that a part of a card was used. It names the part by all that it says, as the
 * agent's own ids need not differ from each other, and as the card may have been edited when the click comes.
 *
 * @param part - The part.
 * @param place - Its place in the block: Slack takes no id twice.
 */
export function toActionId(part: JsonObject, place: number): string {
  return `${toDigest(part)}.${place}`
}

/**
 * Finds the part of a card that has an id of {@link toActionId}.
 *
 * @param card - The card.
 * @param actionId - The id.
 * @returns The part; `undefined` where the card does not hold it, or not any more.
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
