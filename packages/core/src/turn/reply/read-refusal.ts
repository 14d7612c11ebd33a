import { isObject, parseJson } from '@trestle/protocol'

const maxLength = 1000
const maxFields = 10

/**
 * Returns the service's reason for rejecting a reply: its error message and the invalid fields.
 *
 * @param secretKey - The secret key, which is redacted if the response contains it.
 * @returns At most 1000 characters on one line; `undefined` if the response has no reason.
 */
export function readRefusal(text: string, secretKey: string): string | undefined {
  const body = parseJson(text)
  if (!isObject(body)) return undefined
  const message = typeof body['message'] === 'string' ? body['message'] : ''
  const faults = toFaults(body['errors']).filter((fault) => !message.includes(fault))
  const all = [message, ...faults].filter((part) => part !== '').join('; ')
  const displayText = all
    .replaceAll(secretKey, '***')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (displayText === '') return undefined
  return displayText.length <= maxLength
    ? displayText
    : `${displayText.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, '')}…`
}

function toFaults(errors: unknown): readonly string[] {
  if (!isObject(errors)) return []
  return Object.entries(errors)
    .slice(0, maxFields)
    .flatMap(([field, fault]) => {
      const messages: unknown = isObject(fault) ? fault['messages'] : undefined
      return Array.isArray(messages) && typeof messages[0] === 'string' ? [`${field}: ${messages[0]}`] : []
    })
}
