import { type Equals, findMismatch, type Mismatch } from '../report/mismatch.ts'
import { printValue } from '../report/print-value.ts'
import { findStep, requireReport } from '../report/require-report.ts'
import type { RunReport, StepReport } from '../report/run-report.ts'
import { toMs } from '../report/time.ts'
import type { Channel, ExpectedMessage, MessageOptions, SentOptions } from './expected-message.ts'
import { checkMessageFields, toMessageType } from './known-fields.ts'
import { describeSteps, type Expectation, type Verdict } from './verdict.ts'

/** The expected message. */
export interface WantedMessage {
  readonly channel: Channel
  /** Options other than the message fields. */
  readonly options?: SentOptions | undefined
}

/**
 * Checks whether a message was sent: exactly once, unless `times` is set. Messages of all triggers of the run count.
 * With `not`, no message may match.
 *
 * @param expectation - The expected fields.
 * @throws TypeError - The value is not a run, or a channel, field, option or step is unknown.
 */
export function checkSent(given: unknown, wanted: WantedMessage, expectation: Expectation<object> = {}): Verdict {
  const report = requireReport(given)
  const { channel, options = {} } = wanted
  const { expected = {}, equals, isNot = false } = expectation
  const compare = toComparison(report, { channel, expected, options, equals })
  const times = toTimes(options, isNot)
  const type = toMessageType(channel)
  const sent = allSent(report).filter((step) => step.type === type)
  const steps = sent.filter((step) => !compare(step))
  const pass = isNot ? steps.length > 0 : steps.length === times
  if (steps.length > 0) return { pass, finding: describeFitting(steps, pass), steps }
  const [closest] = sent
  if (!closest) return { pass, finding: `no ${type} was sent; ${describeAll(report)}`, steps }
  return { pass, finding: describeMismatch(closest, compare(closest)), steps }
}

/**
 * Checks whether a run sent these messages and no others, in this order. Messages of further triggers are included,
 * ordered by time.
 *
 * @param equals - The test runner's comparison, used for its matchers.
 * @throws TypeError - It is not a run, or a channel, field, option or step is unknown.
 */
export function checkSentOnly(given: unknown, messages: readonly ExpectedMessage[], equals?: Equals): Verdict {
  const report = requireReport(given)
  const wanted = messages.map((message) => {
    const [channel, expected = {}, options = {}] = typeof message === 'string' ? [message] : message
    if ('times' in options)
      throw new TypeError('The option times is only for toHaveSent; list each message here instead.')
    return { type: toMessageType(channel), compare: toComparison(report, { channel, expected, options, equals }) }
  })
  const steps = allSent(report)
  const at = wanted.findIndex(({ type, compare }, index) => {
    const step = steps[index]
    return !step || step.type !== type || compare(step) !== undefined
  })
  const all = `the messages: ${steps.map(describeMessage).join(', ') || 'none'}`
  if (at < 0 && steps.length === wanted.length) return { pass: true, finding: all, steps }
  if (at < 0) return { pass: false, finding: `${steps.length} were sent, not ${wanted.length}; ${all}`, steps: [] }
  const step = steps[at]
  const mismatch = step && step.type === wanted[at]?.type ? wanted[at].compare(step) : undefined
  const difference =
    mismatch && step ? describeMismatch(step, mismatch) : `message ${at + 1} is ${describeMessage(step)}`
  return { pass: false, finding: `${difference}; ${all}`, steps: [] }
}

interface Comparable {
  readonly channel: Channel
  readonly expected: object
  readonly options: MessageOptions
  readonly equals: Equals | undefined
}

function toComparison(
  report: RunReport,
  { channel, expected, options, equals }: Comparable,
): (step: StepReport) => Mismatch | undefined {
  checkMessageFields(channel, expected, options)
  const { stepId, at, providers } = options
  if (stepId !== undefined) findStep(report, stepId)
  const wanted = {
    ...(stepId !== undefined && { stepId }),
    outputs: expected,
    ...(providers && { providers }),
    ...(at !== undefined && { endsAt: new Date(toMs(at, 'at')).toISOString() }),
  }
  return (step) => findMismatch(step, wanted, equals)
}

function toTimes({ times }: SentOptions, isNot: boolean): number {
  if (times === undefined) return 1
  if (isNot) throw new TypeError('The option times cannot be combined with not: give the expected number of messages.')
  if (Number.isInteger(times) && times >= 0) return times
  throw new TypeError(`The option times must be an integer of 0 or more; got ${String(times)}.`)
}

/** Returns all messages that a run sent, ordered by their last attempts; those of the same time are in step order. */
function allSent(report: RunReport): readonly StepReport[] {
  const sent = [report, ...report.others].flatMap((run) => run.sent)
  return sent.sort((left, right) => Date.parse(left.endsAt) - Date.parse(right.endsAt))
}

function describeAll(report: RunReport): string {
  return [report, ...report.others].map(describeSteps).join('; in a further trigger, ')
}

function describeFitting(steps: readonly StepReport[], pass: boolean): string {
  const names = steps.map(({ stepId }) => `"${stepId}"`)
  if (names.length === 1) return `step ${names[0]} sent it`
  return `it was sent ${names.length} times, by steps ${names.join(', ')}${pass ? '' : '; { times } sets the expected number'}`
}

function describeMessage(step: StepReport | undefined): string {
  return step ? `${step.type} of step "${step.stepId}" at ${step.endsAt}` : 'missing'
}

const labels: readonly (readonly [start: string, label: string])[] = [
  ['/outputs', ''],
  ['/endsAt', 'at'],
]

function describeMismatch({ stepId }: StepReport, mismatch: Mismatch | undefined): string {
  const { path, expected, actual } = mismatch ?? { path: '' }
  if (path === '/stepId') return `step "${stepId}" sent it, not step ${printValue(expected)}`
  const [start = '', label = ''] = labels.find(([prefix]) => path.startsWith(prefix)) ?? []
  return `step "${stepId}" sent ${label}${path.slice(start.length)} ${printValue(actual)}, not ${printValue(expected)}`
}
