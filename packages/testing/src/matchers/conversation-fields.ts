import type { AgentQuestion } from '@trestle/protocol'
import type { ConversationReport } from '../report/conversation-report.ts'
import { actionsOf } from '../report/declared-actions.ts'
import { isPlain } from '../report/mismatch.ts'
import { printValue } from '../report/print-value.ts'

/** Further expectations of a message. */
export interface SaidOptions {
  /** The expected number of matching messages. @default 1 */
  readonly times?: number | undefined
}

const saidFields = ['text', 'markdown', 'card', 'files']
const askedFields = ['id', 'questionId', 'type', 'text', 'value', 'options', 'labels', 'by', 'answer', 'turn']
const questionTypes: Readonly<Record<AgentQuestion['type'], true>> = { text: true, choice: true, approval: true }
const saidOptions: Readonly<Record<keyof SaidOptions, true>> = { times: true }

/**
 * Checks the expectations of a message: a misspelled field would let a negation pass.
 *
 * @param expected - A string, a regular expression, fields, or a matcher of the runner.
 * @throws TypeError - The expectation has a different type, or a field is unknown.
 */
export function checkExpectedSaid(expected: unknown): void {
  if (expected === undefined || isTextual(expected)) return
  checkFields(expected, saidFields, 'message')
}

/**
 * Returns the expected number of matching messages.
 *
 * @param options - The options of `toHaveSaid`.
 * @throws TypeError - An option is unknown or invalid.
 */
export function toTimes(options: unknown, isNot: boolean): number {
  if (options === undefined) return 1
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`The options of a message must be an object; got ${printValue(options)}.`)
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(saidOptions, name))
  if (unknown !== undefined) throw new TypeError(`Unknown option "${unknown}". The only option is: times.`)
  const { times } = options as SaidOptions
  if (times === undefined) return 1
  if (isNot) throw new TypeError('The option times cannot be combined with not: give the expected number of messages.')
  if (Number.isInteger(times) && times >= 1) return times
  throw new TypeError(`The option times must be an integer of 1 or more; got ${printValue(times)}.`)
}

/**
 * Checks the expectations of a question.
 *
 * @throws TypeError - An action, field or question type is unknown.
 */
export function checkExpectedAsked(report: ConversationReport, id: unknown, expected: unknown): void {
  if (typeof id !== 'string') throw new TypeError('The id of a question must be a string.')
  const actions = actionsOf(report)
  if (actions && !actions.includes(id))
    throw new TypeError(`Agent "${report.agentId}" has no action "${id}". It has: ${actions.join(', ') || 'none'}.`)
  if (expected === undefined) return
  checkFields(expected, askedFields, 'question')
  const type: unknown = Reflect.get(expected as object, 'type')
  if (typeof type === 'string' && !Object.hasOwn(questionTypes, type))
    throw new TypeError(`"${type}" is not a question type. The types are: ${Object.keys(questionTypes).join(', ')}.`)
}

/**
 * Checks the expected summary.
 *
 * @param expected - A string, a regular expression, or a matcher of the runner.
 * @throws TypeError - The expectation has a different type.
 */
export function checkExpectedSummary(expected: unknown): void {
  const isMatcher = typeof expected === 'object' && expected !== null && !isPlain(expected)
  if (expected === undefined || isTextual(expected) || isMatcher) return
  throw new TypeError(`The expected summary must be a string or a regular expression; got ${printValue(expected)}.`)
}

function isTextual(expected: unknown): boolean {
  return typeof expected === 'string' || Object.prototype.toString.call(expected) === '[object RegExp]'
}

function checkFields(expected: unknown, knownFields: readonly string[], what: string): void {
  if (typeof expected !== 'object' || expected === null)
    throw new TypeError(`The expected ${what} must be an object of fields; got ${printValue(expected)}.`)
  // An asymmetric matcher of the test runner decides on all fields at once.
  const unknown = isPlain(expected) ? Object.keys(expected).find((name) => !knownFields.includes(name)) : undefined
  if (unknown !== undefined)
    throw new TypeError(`A ${what} has no field "${unknown}". The fields are: ${knownFields.join(', ')}.`)
}
