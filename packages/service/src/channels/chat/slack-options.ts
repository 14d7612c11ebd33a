import type { JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { compact, toObject } from '../../json/json.ts'
import { shorten } from '../base/shorten.ts'

/** The maximum length of a button or option label. */
export const maxLabel = 75
const maxOptions = 100

/**
 * Returns the options of a list. If there are more options than Slack allows, they are divided into groups, up to the
 * maximum number of groups.
 *
 * @param options - The options in Slack's format.
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
 * @param size - The maximum size of a group.
 */
export function toGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/**
 * Converts options to Slack's format.
 *
 * @param options - The options, each with a label and an optional description.
 * @param toValue - Returns the value of an option.
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

/** A plain text object in Slack's format. */
export interface PlainText extends JsonObject {
  readonly type: 'plain_text'
  readonly text: string
}

/**
 * Returns a plain text object, which is never empty because Slack would reject it.
 *
 * @param max - The maximum length.
 */
export function plain(text: string, max: number): PlainText {
  return { type: 'plain_text', text: shorten(text.trim() === '' ? '–' : text, max) }
}
