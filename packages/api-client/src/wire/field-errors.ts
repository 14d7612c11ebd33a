import type { ConstraintValidation, FieldErrors } from '../error/error.ts'
import { isObject, toText } from './to-text.ts'

/**
 * Reads the rejected fields of an error body: a map of fields, or a list of `{ field, message, value }`.
 *
 * @param errors - The member `errors` of the body, redacted.
 * @returns The fields, or `undefined` if there are none.
 * @source service-api.md#errors-of-the-api
 */
export function toFieldErrors(errors: unknown): FieldErrors | undefined {
  if (Array.isArray(errors)) return fromList(errors)
  if (!isObject(errors)) return undefined
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, toConstraint(error)]))
}

function fromList(errors: readonly unknown[]): FieldErrors | undefined {
  const fields = new Map<string, ConstraintValidation>()
  for (const error of errors) {
    if (!isObject(error) || typeof error['field'] !== 'string') continue
    const { messages, ...rest } = toConstraint({ ...error, messages: [error['message']] })
    const before = fields.get(error['field'])
    fields.set(error['field'], { ...rest, ...before, messages: [...(before?.messages ?? []), ...messages] })
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields)
}

function toConstraint(error: unknown): ConstraintValidation {
  const given: readonly unknown[] = isObject(error) && Array.isArray(error['messages']) ? error['messages'] : [error]
  const messages = given.map((message) => toText(message) ?? '')
  return isObject(error) && Object.hasOwn(error, 'value') ? { messages, value: error['value'] } : { messages }
}
