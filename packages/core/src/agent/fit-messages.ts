import { isObject, type JsonObject } from '@trestle/protocol'
import { replyLimits } from './reply-limits.ts'

const mark = '\n\n[… The rest of this message is omitted.]'

/** A selection of messages to keep: those before `begin`, those between `from` and `to`, and those from `rest` on. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly rest: number
}

/**
 * Returns as many messages as fit. Drops the oldest first: whole exchanges, then earlier steps of the answer, so that
 * the rest starts with a user message and no tool result lacks its call. As a last resort, it truncates the user's
 * message and adds a note. Leading instructions are kept.
 *
 * @param all - All messages; the model's last one contains the calls.
 * @param room - The maximum length of the messages as JSON, in characters.
 * @throws TypeError - The messages needed for the calls do not fit.
 */
export function fitMessages(all: readonly JsonObject[], room: number): JsonObject[] {
  const begin = Math.max(
    0,
    all.findIndex(({ role }) => role !== 'system'),
  )
  const cuts = findCuts(all, begin)
  const lengths = all.map((message) => lengthOf([message]))
  const sum = (from: number, to?: number): number => lengths.slice(from, to).reduce((total, one) => total + one, 0)
  const fitting = cuts.find(({ from, to, rest }) => sum(0, begin) + sum(from, to) + sum(rest) <= room)
  const keep = ({ from, to, rest }: Cut): JsonObject[] => [
    ...all.slice(0, begin),
    ...all.slice(from, to),
    ...all.slice(rest),
  ]
  if (fitting) return keep(fitting)
  const shortest = keep(cuts.at(-1) ?? { from: begin, to: begin, rest: begin })
  const person = shortest[begin]
  const shortened = person && shorten(person, room - lengthOf(shortest) + lengthOf([person]))
  if (!shortened) throw tooLong(shortest, begin)
  return shortest.map((message, index) => (index === begin ? shortened : message))
}

/** Returns the length of messages as JSON, with a comma after each. */
function lengthOf(messages: readonly JsonObject[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message).length + 1, 0)
}

/** Returns the possible selections of messages, longest first. */
function findCuts(all: readonly JsonObject[], begin: number): readonly Cut[] {
  const indexesOf = (role: string): readonly number[] =>
    all.flatMap((message, index) => (index > begin && message['role'] === role ? [index] : []))
  const users = indexesOf('user')
  const lastUser = users.at(-1) ?? begin
  const steps = indexesOf('assistant').filter((index) => index > lastUser)
  return [
    ...[begin, ...users].map((rest) => ({ from: rest, to: rest, rest })),
    ...steps.map((rest) => ({ from: lastUser, to: lastUser + 1, rest })),
  ]
}

/** Truncates the longest text of a user message; `undefined` if that does not save enough. */
function shorten(message: JsonObject, room: number): JsonObject | undefined {
  const { role, content } = message
  if (role !== 'user') return undefined
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }]
  const texts = parts.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
  const longest = texts.reduce((most, text, index) => (text.length > (texts[most] ?? '').length ? index : most), 0)
  const text = texts[longest] ?? ''
  const withText = (kept: string): JsonObject => {
    if (!Array.isArray(content)) return { ...message, content: kept }
    return {
      ...message,
      content: parts.map((part, index) => (index === longest ? { ...(part as object), text: kept } : part)),
    } as JsonObject
  }
  // An escaped character takes several characters in JSON.
  let [enough, tooMany] = [0, text.length]
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2)
    if (lengthOf([withText(text.slice(0, middle) + mark)]) <= room) enough = middle
    else tooMany = middle
  }
  // Do not end with half a surrogate pair.
  const kept = text.slice(0, enough).replace(/[\ud800-\udbff]$/, '')
  return kept === '' ? undefined : withText(kept + mark)
}

/** Returns an error that names the largest part, and how to shorten it. */
function tooLong(kept: readonly JsonObject[], begin: number): TypeError {
  const person = kept[begin]?.['role'] === 'user' ? begin + 1 : begin
  const takers = [
    { what: 'the instructions at the start', help: 'Pass them to the model as the option system.', to: begin },
    { what: "the user's messages", help: 'Pass files to the model by URL.', from: begin, to: person },
    { what: 'the tool calls and their context', help: 'Let tools take and return less data.', from: person },
  ].map(({ from = 0, to, ...labels }) => ({ ...labels, length: lengthOf(kept.slice(from, to)) }))
  const [most = { what: 'all', help: '', length: 0 }] = takers.sort((one, other) => other.length - one.length)
  return new TypeError(
    `replyFrom(): the messages stored with the question may have at most ${replyLimits.value} characters as JSON; ` +
      `${most.what} alone have ${most.length}. ${most.help}`,
  )
}
