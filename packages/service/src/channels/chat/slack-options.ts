import type { JsonObject } from '@trestle/protocol'
import { compact, toObject } from '../../json/json.ts'
import { toText } from '../../templates/filter.ts'
import { shorten } from './slack-text.ts'

/** The longest label of a button or an option. */
export const maxLabel = 75
const maxOptions = 100

/**
 * Returns the options of a list; more than Slack takes in one go into groups, which may be as many.
 *
 * @param options - The options as Slack has them.
 */
export function toChoice(options: readonly JsonObject[]): JsonObject {
  if (options.length <= maxOptions) return { options }
  const toGroup = (group: readonly JsonObject[], index: number): JsonObject => {
    const first = index * maxOptions
    return { label: plain(`${first + 1} – ${first + group.length}`, maxLabel), options: group }
  }
  return { option_groups: toGroups(options, maxOptions).map(toGroup) }
}

/**
 * Divides a list into groups.
 *
 * @param all - The list.
 * @param size - The most items of a group.
 */
export function toGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/**
 * Returns options as Slack has them.
 *
 * @param options - The options, each with a label, and some with a description.
 * @param toValue - Returns the value of one.
 */
export function toOptions(
  options: unknown,
  toValue: (option: JsonObject, index: number) => string,
): readonly JsonObject[] {
  return (Array.isArray(options) ? options.map(toObject) : []).map((option, index) => {
    const { label, description } = option
    const more = toText(description).trim() === '' ? undefined : plain(toText(description), maxLabel)
    return compact({ text: plain(toText(label), maxLabel), value: toValue(option, index), description: more })
  })
}

/** A text without markup, as Slack's blocks have it. */
export interface PlainText extends JsonObject {
  /** Its kind. */
  readonly type: 'plain_text'
  /** What it says. */
  readonly text: string
}

/**
 * Returns a text without markup; Slack takes none that is empty.
 *
 * @param text - The text.
 * @param max - The most characters.
 */
export function plain(text: string, max: number): PlainText {
  return { type: 'plain_text', text: shorten(text.trim() === '' ? '–' : text, max) }
}
