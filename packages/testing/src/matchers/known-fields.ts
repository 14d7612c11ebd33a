import { errorStatuses, type MessageType, messageTypes, toStepName } from '@trestle/protocol'
import { isPlain } from '../report/mismatch.ts'
import type { OutputsByType, StepFailure } from '../report/run-report.ts'
import type { Channel, SentOptions } from './expected-message.ts'

type KeyOf<TValue> = TValue extends unknown ? keyof TValue : never

// The compiler reports missing and extra names.
const messageFields: { readonly [TType in MessageType]: Readonly<Record<KeyOf<OutputsByType[TType]>, true>> } = {
  email: { subject: true, body: true, from: true, replyTo: true, preheader: true, useProviderDefaults: true },
  sms: { body: true },
  push: { subject: true, body: true },
  chat: { body: true, card: true },
  in_app: {
    subject: true,
    body: true,
    avatar: true,
    primaryAction: true,
    secondaryAction: true,
    redirect: true,
    data: true,
  },
  tool: { body: true },
}
const failureFields: Readonly<Record<keyof StepFailure, true>> = { code: true, message: true, data: true, status: true }
const optionFields: Readonly<Record<keyof SentOptions, true>> = { times: true, stepId: true, at: true, providers: true }

/**
 * Returns a channel's name on the wire.
 *
 * @throws TypeError - The channel is unknown.
 */
export function toMessageType(channel: Channel): MessageType {
  const messageType = messageTypes.find((type) => type === channel || toStepName(type) === channel)
  if (messageType !== undefined) return messageType
  throw new TypeError(`"${String(channel)}" is not a channel. The channels are: ${messageTypes.join(', ')}.`)
}

/**
 * Checks the expected field names of a message: a misspelled name would let a negation pass.
 *
 * @param expected - The expected fields.
 * @param options - The expectations other than the fields.
 * @throws TypeError - A channel, field or option is unknown.
 */
export function checkMessageFields(channel: Channel, expected: object, options: object): void {
  const type = toMessageType(channel)
  refuseUnknown(expected, messageFields[type], `A message of type ${type}`)
  refuseUnknown(options, optionFields, 'The third argument')
}

/**
 * Checks the expected field names of a failure.
 *
 * @param expected - The expected fields.
 * @throws TypeError - A field or code is unknown.
 */
export function checkFailureFields(expected: object): void {
  refuseUnknown(expected, failureFields, 'A failure')
  const code: unknown = Reflect.get(expected, 'code')
  if (typeof code !== 'string' || Object.hasOwn(errorStatuses, code)) return
  throw new TypeError(`"${code}" is not an error code. The codes are: ${Object.keys(errorStatuses).join(', ')}.`)
}

function refuseUnknown(given: object, knownFields: object, owner: string): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${owner} must be an object of expected fields; got ${String(given)}.`)
  // An asymmetric matcher of the test runner decides on all fields at once.
  const unknown = isPlain(given) ? Object.keys(given).find((name) => !Object.hasOwn(knownFields, name)) : undefined
  if (unknown === undefined) return
  throw new TypeError(`${owner} has no field "${unknown}". The fields are: ${Object.keys(knownFields).join(', ')}.`)
}
