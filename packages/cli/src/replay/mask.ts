import type { RunRecording } from '@trestle/api-client'
import { isObject, isOfClass, type JsonObject } from '@trestle/protocol'
import type { Difference, ShownReply } from './difference.ts'
import { createMaskText } from './mask-text.ts'
import { typeOf } from './replay-state.ts'

/** Replaces personal data of a run. */
export interface Mask {
  readonly text: (text: string) => string
  readonly difference: (difference: Difference) => Difference
}

/** Numbers with fewer digits are too common to be personal. */
const minDigits = 3

/**
 * Creates the mask of a run. Replaces values with their paths, such as `[payload.name]`: texts, words of four or more
 * characters, and numbers of three or more digits. The values come from the payload, the recipient, the actor, the
 * contexts and the results of steps. Email addresses and phone numbers become `[email]` and `[phone]`.
 */
export function createMask(recording: RunRecording): Mask {
  const labels = findLabels(recording)
  const maskText = createMaskText(labels)
  const numbers = new Map([...labels].filter(([value]) => /^-?[\d.]+$/.test(value)))
  const maskValue = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value)
    if (typeof value === 'number') return numbers.has(String(value)) ? `[${numbers.get(String(value))}]` : value
    if (Array.isArray(value)) return value.map(maskValue)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [maskText(name), maskValue(item)]))
  }
  // Output names are defined by the step type, so they are not masked.
  const maskFields = (fields: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([name, item]) => [name, maskValue(item)]))
  const maskReply = ({ outputs, providers }: ShownReply): ShownReply => ({
    outputs: maskFields(outputs),
    providers: maskFields(providers),
  })
  const difference: Mask['difference'] = ({ stepId, message, fields, before, after, ...rest }) => ({
    ...rest,
    stepId: stepId === null ? null : maskText(stepId),
    // Other messages are written by this command.
    message: rest.kind === 'failing' ? maskText(message) : message,
    ...(fields && {
      fields: fields.map((field) => ({
        path: maskPath(field.path, maskText),
        before: maskValue(field.before),
        after: maskValue(field.after),
      })),
    }),
    ...(before && { before: maskReply(before) }),
    ...(after && { after: maskReply(after) }),
  })
  return { text: maskText, difference }
}

function maskPath(path: string, maskText: (text: string) => string): string {
  const [first = '', ...rest] = path.split('/')
  return [first, ...rest.map(maskText)].join('/')
}

/** Returns the path of each value to mask; for equal values, the first path. */
function findLabels({ event, steps }: RunRecording): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  const add = (value: unknown, path: string, fixed?: string): void => {
    if (Array.isArray(value) || isObject(value)) {
      for (const [name, item] of Object.entries(value)) if (name !== fixed) add(item, `${path}.${name}`, fixed)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number') return
    const text = String(value).trim()
    const isShort = typeof value === 'number' && text.replaceAll(/\D/g, '').length < minDigits
    if (text !== '' && !isShort && !labels.has(text)) labels.set(text, path)
  }
  for (const part of ['payload', 'subscriber', 'actor', 'context'] as const) add(event?.[part], part)
  // The status of triggered runs is a word such as "completed", which other texts contain, too.
  for (const step of steps.filter((one) => isOfClass(typeOf(one), 'data', 'wait', 'trigger')))
    add(step.result, 'results', isOfClass(typeOf(step), 'trigger') ? 'status' : undefined)
  return labels
}
