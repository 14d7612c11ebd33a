import type { JsonObject, MessageType } from '@trestle/protocol'

type Kind = 'text' | 'object'

const texts = (...names: readonly string[]): readonly (readonly [string, Kind])[] =>
  names.map((name) => [name, 'text'] as const)
const objects = (...names: readonly string[]): readonly (readonly [string, Kind])[] =>
  names.map((name) => [name, 'object'] as const)

/** The typed fields of each message type; custom fields can have any type. */
const fields: Readonly<Record<MessageType, readonly (readonly [string, Kind])[]>> = {
  email: [...texts('subject', 'body', 'preheader', 'replyTo'), ...objects('from')],
  in_app: [...texts('subject', 'body', 'avatar'), ...objects('primaryAction', 'secondaryAction', 'redirect', 'data')],
  sms: texts('body'),
  tool: texts('body'),
  push: texts('subject', 'body'),
  chat: [...texts('body'), ...objects('card')],
}

/**
 * Finds a field of a message that has the wrong type and therefore cannot be sent. Absent and `null` fields are valid.
 *
 * @returns The problem; `undefined` if there is none.
 */
export function findMessageFault(type: MessageType, outputs: JsonObject): string | undefined {
  for (const [name, kind] of fields[type]) {
    const value = outputs[name]
    if (value !== undefined && value !== null && !isOf(kind, value))
      return `its "${name}" is ${describe(value)}, not ${kind === 'text' ? 'a string' : 'an object'}`
  }
  return undefined
}

function isOf(kind: Kind, value: unknown): boolean {
  return kind === 'text' ? typeof value === 'string' : typeof value === 'object' && !Array.isArray(value)
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'a text' : `the ${typeof value} ${String(value)}`
}
