import type { JsonObject } from '@trestle/protocol'
import { toSections } from './slack-sections.ts'

/** The maximum length of the text next to blocks, including in an update. */
export const maxText = 4_000
const maxBlocks = 50
/** Slack's limit for all blocks combined, by its own count: their texts, plus about a hundred characters each. */
const maxLength = 12_000
const blockLength = 100
const cutShort = '… (_the rest was not sent, because it exceeds the limits of Slack_)'

/**
 * Returns as many blocks as Slack accepts in one message, with a note if content is missing.
 *
 * @param blocks - The blocks, each within Slack's limits.
 * @param kept - Blocks that are always appended. @default none
 */
export function toFittingBlocks(
  blocks: readonly JsonObject[],
  kept: readonly JsonObject[] = [],
): readonly JsonObject[] {
  const all = [...blocks, ...kept]
  if (isFitting(all)) return all
  const end = [...toSections(cutShort), ...kept]
  let room = maxLength - end.reduce((sum, block) => sum + toLength(block), 0)
  const fitting: JsonObject[] = []
  for (const block of blocks) {
    room -= toLength(block)
    if (room < 0 || fitting.length + end.length >= maxBlocks) break
    fitting.push(block)
  }
  return [...fitting, ...end]
}

/** Returns whether Slack accepts all blocks in one message. */
export function isFitting(blocks: readonly JsonObject[]): boolean {
  return blocks.length <= maxBlocks && blocks.reduce((sum, block) => sum + toLength(block), 0) <= maxLength
}

/** Returns the length of a block without its options, which have separate limits. */
function toLength(block: JsonObject): number {
  const toCounted = (name: string, value: unknown): unknown => (name.startsWith('option') ? undefined : value)
  return JSON.stringify(block, toCounted).length + blockLength
}
