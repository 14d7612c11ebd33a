import { ApiError } from '../error/error.ts'
import type { Operation } from '../operations/operation.ts'
import type { FailureContext } from './classify.ts'
import type { WireAnswer } from './exchange.ts'
import { parseJson } from './parse-json.ts'

const maxTextLength = 65_536

/**
 * Returns the data of a success. A body that is only `{ data }` is unwrapped: the API wraps most responses this way,
 * but not all.
 *
 * @param operation - The operation; if it has no response body, the body is ignored.
 * @param answer - The response, with a status from 200 to 299.
 * @throws ApiError - `AnswerUnreadable` for a body that is empty, not JSON or nested too deeply.
 */
export function readSuccess(operation: Operation, answer: WireAnswer, context: FailureContext): unknown {
  if (operation.answer === 'nothing') return undefined
  const { text } = answer
  if (text.trim() === '') throw unreadable(answer, 'with an empty body', context)
  const parsed = parseJson(text)
  if ('fault' in parsed) throw unreadable(answer, `with a body that ${parsed.fault}`, context)
  const { value } = parsed
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return keys.length === 1 && keys[0] === 'data' ? Reflect.get(value as object, 'data') : value
}

function unreadable({ status, text }: WireAnswer, what: string, context: FailureContext): ApiError {
  const { idempotencyKey, redact } = context
  const message = `The API answered ${status} ${what}. The call may have taken effect. Check that apiUrl is the address of the API.`
  return new ApiError('AnswerUnreadable', message, {
    status,
    ...(text === '' ? {} : { body: redact(text, maxTextLength) }),
    ...(text.length > maxTextLength ? { isBodyCut: true } : {}),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}
