import { eventLimits, findEventFault } from '@trestle/run-rules'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText, jsonObject } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { emitResult } from '../../resources/activity/event.ts'
import { named } from '../../resources/named.ts'
import { subscriberIdField } from '../subscribers/subscriber-fields.ts'

const body = named(
  'EmitBody',
  'An event that steps wait for.',
  z.strictObject({
    name: filledText(eventLimits.name).describe('The name of the event, as passed to `waitForEvent`.'),
    payload: jsonObject().optional().describe('The data of the event, which steps receive. Default: `{}`.'),
    to: subscriberIdField
      .nullish()
      .describe('The subscriber whose runs receive it. Default: the runs of all subscribers.'),
    match: jsonObject()
      .nullish()
      .describe('The fields that steps compare, up to 50. Default: the fields of `payload`.'),
  }),
)

/** The operation that emits events. */
export const emitOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    category: 'events',
    wrapped: true,
    name: 'events.emit',
    access: 'edit',
    method: 'POST',
    path: '/v1/events/emit',
    summary:
      'Emits an event: runs that wait for it continue, and runs that start waiting within 10 minutes receive it.',
    status: 201,
    body,
    output: emitResult,
    async handler({ engine, environment }, { body: { name, payload = {}, to, match } }) {
      const event = { name, payload, match: match ?? undefined }
      const fault = findEventFault(event)
      if (fault)
        throw new ApiError(422, `${fault.field}: ${fault.reason}`, {
          errors: { [fault.field]: { messages: [fault.reason] } },
        })
      const eventId = await engine.emit({ environmentId: environment.id, ...event, to: to ?? undefined })
      return { acknowledged: true, eventId }
    },
  }),
])
