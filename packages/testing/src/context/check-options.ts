import { isObject } from '@trestle/protocol'
import { printValue } from '../report/print-value.ts'
import { toMs } from '../report/time.ts'
import type {
  ChildOptions,
  EmittedEvent,
  FurtherTrigger,
  RunOptions,
  StepCallOptions,
  TimedEvent,
} from './run-options.ts'
import { toSubscriber } from './subscriber.ts'

type Check = (value: unknown, name: string) => void
type Checks<TOptions> = { readonly [TKey in keyof Required<TOptions>]: Check }

const object: Check = (value, name) => {
  if (!isObject(value)) throw new TypeError(`The option ${name} must be an object; got ${printValue(value)}.`)
}
const objects: Check = (value, name) => {
  object(value, name)
  for (const [key, item] of Object.entries(value as object)) object(item, `${name}.${key}`)
}
const subscriber: Check = (value, name) => {
  if (typeof value === 'string' || isObject(value)) {
    const id: unknown = toSubscriber(value).subscriberId
    if (typeof id === 'string' && id !== '') return
  }
  throw new TypeError(`The option ${name} must be a subscriber or its id; got ${printValue(value)}.`)
}
const time: Check = (value, name) => void toMs(value as number, name)
const replay: Check = (value, name) => {
  if (value !== 'never' && value !== 'every-step')
    throw new TypeError(`The option ${name} must be 'never' or 'every-step'; got ${printValue(value)}.`)
}
const service: Check = (value, name) => {
  if (value !== 'run-driven' && value !== 'listed')
    throw new TypeError(`The option ${name} must be 'run-driven' or 'listed'; got ${printValue(value)}.`)
}
const network: Check = (value, name) => {
  const isHosts = Array.isArray(value) && value.every((host) => typeof host === 'string' && /^[^/\s]+$/.test(host))
  if (value !== 'refuse' && value !== 'allow' && !isHosts)
    throw new TypeError(
      `The option ${name} must be 'refuse', 'allow' or a list of hosts like ["api.example.com"]; got ${printValue(value)}.`,
    )
}
const stub: Check = (value, name) => {
  if (!isObject(value) && typeof value !== 'function')
    throw new TypeError(
      `The double ${name} must be a result, a function or a failure(); got ${printValue(value)}. See the helpers of result.`,
    )
}
const stubs: Check = (value, name) => {
  object(value, name)
  for (const [stepId, item] of Object.entries(value as object)) stub(item, `"${stepId}"`)
}
const list: Check = (value, name) => {
  if (!Array.isArray(value)) throw new TypeError(`The option ${name} must be a list; got ${printValue(value)}.`)
}
const afterMs: Check = (value, name) => {
  if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY))
    throw new TypeError(`The option ${name} must be milliseconds, 0 or more; got ${printValue(value)}.`)
}
// The bridge checks the payload itself, so any value is allowed here.
const payload: Check = () => undefined
const trigger: Checks<FurtherTrigger<unknown>> = { payload, afterMs }
const triggers: Check = (value, name) => {
  list(value, name)
  for (const [index, item] of (value as unknown[]).entries()) {
    object(item, `${name}[${index}]`)
    if (!('payload' in (item as object))) throw new TypeError(`The option ${name}[${index}] must have a payload.`)
    checkAll(item as object, trigger, `${name}[${index}]`)
  }
}

const name: Check = (value, label) => {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`The option ${label} must be a string; got ${printValue(value)}.`)
}

const emitted: Checks<EmittedEvent> = { name, payload: object, to: name, match: object }
const timed: Checks<TimedEvent> = { ...emitted, afterMs }
const events: Check = (value, label) => {
  list(value, label)
  for (const [index, item] of (value as unknown[]).entries()) {
    object(item, `${label}[${index}]`)
    checkAll(item as object, timed, `${label}[${index}]`)
    name((item as EmittedEvent).name, `${label}[${index}].name`)
  }
}

const child: Checks<ChildOptions> = { controls: objects, doubles: stubs }
const children: Check = (value, label) => {
  objects(value, label)
  for (const [workflowId, item] of Object.entries(value as object))
    checkAll(item as object, child, `${label}.${workflowId}`)
}

const event = { payload, subscriber, env: object, context: object, actor: subscriber, now: time, network }
const run: Checks<RunOptions<unknown>> = {
  ...{ ...event, controls: objects, doubles: stubs, triggers, events, children, replay, service },
}
const stepCall: Checks<StepCallOptions<unknown>> = { ...event, controls: object, state: list }

/**
 * Checks the options of a run: a misspelled option would be ignored, and the test would check something else.
 *
 * @throws TypeError - An option is unknown or invalid.
 */
export function checkRunOptions(options: object): void {
  object(options, 'of bridge.run')
  checkAll(options, run, '')
}

/**
 * Checks the options of a single call.
 *
 * @throws TypeError - An option is unknown or invalid.
 */
export function checkStepCallOptions(options: object): void {
  object(options, 'of a call')
  checkAll(options, stepCall, '')
}

/**
 * Checks an event.
 *
 * @throws TypeError - A field is unknown or invalid.
 */
export function checkEvent(value: object): void {
  object(value, 'of bridge.emit')
  checkAll(value, emitted, '')
  name((value as EmittedEvent).name, 'name')
}

/**
 * Checks the options of a conversation.
 *
 * @throws TypeError - An option is unknown or invalid.
 */
export function checkConverseOptions(options: object): void {
  object(options, 'of bridge.converse')
  checkAll(options, { subscriber, platform: name, now: time, network }, '')
}

/**
 * Checks the options that a test bridge sets for all of its runs.
 *
 * @param options - The options `now`, `network`, `replay` and `service`.
 * @throws TypeError - A value is invalid.
 */
export function checkBaseOptions(options: object): void {
  checkAll(options, { now: time, network, replay, service }, '')
}

function checkAll(options: object, checks: Readonly<Record<string, Check>>, place: string): void {
  for (const [name, value] of Object.entries(options)) {
    const label = place === '' ? name : `${place}.${name}`
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check)
      throw new TypeError(`Unknown option "${label}". The options are: ${Object.keys(checks).sort().join(', ')}.`)
    if (value !== undefined) check(value, label)
  }
}
