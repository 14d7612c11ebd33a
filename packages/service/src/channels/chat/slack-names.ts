import type { JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { readText } from '../../json/json.ts'
import { shorten } from '../base/shorten.ts'

const maxId = 255
const maxValue = 2000
const maxOptionValue = 150

/** Names of a card's parts on Slack, which Slack returns when they are used. */
export interface SlackNames {
  /** Returns the block id of an interactive block. @default assigned by Slack */
  readonly block?: (place: number) => string
  /** Returns the action id of a button or a list, by its position in the block. */
  readonly action: (part: JsonObject, place: number) => string | undefined
  /** Returns the action id of a button that opens a page. */
  readonly link: (part: JsonObject, place: number) => string | undefined
  /** Returns the value of a button. @default none */
  readonly value?: (part: JsonObject) => string | undefined
  /** Returns the value of an option. */
  readonly option: (option: JsonObject, index: number) => string
}

/**
 * Names and values from the card itself, with which the app that owns the webhook identifies clicks. Names and values
 * that Slack would reject are truncated, or replaced with their position.
 */
export const ownNames: SlackNames = Object.freeze({
  action: toId,
  link: toId,
  value: ({ value }: JsonObject) => fill(shorten(readText(value) ?? '', maxValue)),
  option: ({ value }: JsonObject, index: number) => fit(toText(value), maxOptionValue, index) ?? toMark(index),
})

function toId({ id }: JsonObject, place: number): string | undefined {
  return fit(readText(id) ?? '', maxId, place)
}

const toMark = (place: number): string => `#${place + 1}`
const fill = (text: string): string | undefined => (text.trim() === '' ? undefined : text)

/** Truncates a name or value; names that are equal after truncation are distinguished by their position. */
function fit(text: string, max: number, place: number): string | undefined {
  if (text.length <= max) return fill(text)
  const mark = toMark(place)
  return `${shorten(text, max - mark.length)}${mark}`
}

/**
 * Returns the elements of a block with unique ids, as Slack requires: the first keeps its id, and duplicates get their
 * position appended.
 */
export function toDistinct(elements: readonly JsonObject[]): readonly JsonObject[] {
  const taken = new Set<unknown>()
  return elements.map((element, place) => {
    const given = element['action_id']
    let id = given
    for (let at = place; id !== undefined && taken.has(id); at++) {
      const mark = toMark(at)
      id = `${shorten(String(given), maxId - mark.length)}${mark}`
    }
    taken.add(id)
    return id === given ? element : { ...element, action_id: id }
  })
}
