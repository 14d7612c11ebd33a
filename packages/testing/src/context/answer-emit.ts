import { isObject, type JsonObject } from '@trestle/protocol'
import { findEventFault } from '@trestle/run-rules'
import type { EmittedEvent } from './run-options.ts'

const fields = ['name', 'payload', 'to', 'match']
const maxId = 255

interface EmitFault {
  /** The field; empty for the whole body. */
  readonly field: string
  readonly reason: string
}

/**
 * Answers a request to emit an event as the service does: 201, or 422 if the event is invalid.
 *
 * @param body - The parsed body of the request.
 * @param emit - Emits the event.
 */
export function answerEmit(body: unknown, emit: (event: EmittedEvent) => void): Response {
  const fault = findEmitFault(body)
  if (fault) {
    const { field, reason } = fault
    const message = field === '' ? reason : `${field}: ${reason}`
    return Response.json({ statusCode: 422, message, errors: { [field]: { messages: [reason] } } }, { status: 422 })
  }
  const { name, payload, to, match } = body as EmitBody
  emit({ name, payload, to: to ?? undefined, match: match ?? undefined })
  return Response.json({ data: { acknowledged: true, eventId: '0'.repeat(24) } }, { status: 201 })
}

interface EmitBody {
  readonly name: string
  readonly payload?: JsonObject
  readonly to?: string | null
  readonly match?: JsonObject | null
}

function findEmitFault(body: unknown): EmitFault | undefined {
  if (!isObject(body)) return { field: '', reason: 'The body must be an object' }
  const unknown = Object.keys(body).find((name) => !fields.includes(name))
  if (unknown !== undefined)
    return { field: unknown, reason: `is not a field of an event. Its fields are: ${fields.join(', ')}` }
  const { name, payload = {}, to, match } = body
  if (!isObject(payload)) return { field: 'payload', reason: 'must be an object' }
  if (!isAbsent(match) && !isObject(match)) return { field: 'match', reason: 'must be an object or null' }
  if (!isAbsent(to) && !isId(to)) return { field: 'to', reason: 'must be the id of a subscriber or null' }
  return findEventFault({ name, payload, match: match ?? undefined })
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= maxId && !['', '.', '..'].includes(value.trim())
}
