import type { OutboundReply } from '@trestle/bridge-client'
import { findPath, type JsonObject, parseJson } from '@trestle/protocol'
import { toObject } from '../../json/json.ts'
import type { ExpectedAnswer } from '../base/delivery.ts'
import { readRetryAfter } from '../base/retry.ts'
import { type RefusalMeaning, SendError } from '../base/send-error.ts'

/** If the recipients are refused for different reasons, the first of these that occurs decides. */
const precedence: readonly RefusalMeaning[] = ['unknown', 'temporary', 'integration']

/**
 * Checks a response with a success status.
 *
 * @param nowMs - The time, in milliseconds since 1970.
 * @throws {SendError} The response rejects the message for every recipient.
 */
export function checkAnswer({ text, headers }: OutboundReply, expects: ExpectedAnswer, nowMs: number): void {
  const answer = toObject(parseJson(text))
  const results = [expects.list === undefined ? answer : answer[expects.list]].flat().map(toObject)
  if (results.some((result) => isAccepted(result, expects))) return
  const meanings = results.map((result) => toMeaning(result, expects))
  const meaning = precedence.find((one) => meanings.includes(one)) ?? 'message'
  const why = results.map((result) => toReason(result[expects.reason])).find((one) => one !== '')
  throw new SendError(
    'provider_refused',
    `The provider did not accept the message${why ? `: ${why}` : '.'}`,
    meaning === 'temporary'
      ? { blame: 'integration', waitMs: readRetryAfter(headers['retry-after'], nowMs) }
      : { blame: meaning },
  )
}

/**
 * Returns a message id, or another short value, as a string.
 *
 * @returns `undefined` for an empty string, and for anything other than a string or a number.
 */
export function readId(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}

function isAccepted(result: JsonObject, { field, value }: ExpectedAnswer): boolean {
  const status = readId(result[field])
  return value === undefined ? status !== undefined : status === value
}

function toMeaning(result: JsonObject, { field, codePath = field, meanings = {} }: ExpectedAnswer): RefusalMeaning {
  const code = readId(findPath(result, codePath.split('.'))) ?? ''
  return Object.hasOwn(meanings, code) ? (meanings[code] ?? 'message') : 'message'
}

function toReason(value: unknown): string {
  if (value === undefined || value === null) return ''
  const parts = [value].flat().map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  return parts.join('; ')
}
