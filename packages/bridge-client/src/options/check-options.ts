import { X509Certificate } from 'node:crypto'
import { isObject } from '@trestle/protocol'
import { type Check, checkForms, type Forms, isInteger, maxTimerMs, token } from '../base/check-forms.ts'
import type { BridgeClientOptions } from './options.ts'

const maxBytes = 2 ** 30
const ownHeaders: readonly string[] = [
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'transfer-encoding'],
]

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isFunction: Check = (value) => typeof value === 'function'
const isTexts: Check = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')

/** The check for each option. A value of `undefined` counts as absent. */
const checks: Forms<keyof BridgeClientOptions> = {
  secretKey: [isText, 'a non-empty string'],
  // A URL is customer data: an invalid URL makes the call fail instead of the options.
  bridgeUrl: [() => true, ''],
  environmentName: [(value) => typeof value === 'string', 'a string, the name of the environment'],
  allow: [isTexts, 'a list of ranges such as 10.0.0.0/8'],
  isClosed: [isFunction, 'a function'],
  policy: [(value) => value === 'on' || value === 'off', "'on' or 'off'"],
  tunnelHosts: [isTexts, 'a list of host names'],
  signatureHeader: [isFreeHeader, 'a header name that the client does not send itself'],
  timeoutMs: [isInteger(maxTimerMs), `an integer from 1 to ${maxTimerMs}`],
  maxAnswerBytes: [isInteger(maxBytes), `an integer from 1 to ${maxBytes}`],
  ca: [isAuthorities, 'a PEM certificate, or a list of PEM certificates'],
  logger: [(value) => isObject(value) && isFunction(value['warn']), 'an object with a warn method'],
  lookup: [isFunction, 'a function'],
  connect: [isFunction, 'a function'],
  connections: [(value) => isObject(value) && isFunction(value['take']), 'a pool of createConnectionPool()'],
  nowMs: [isFunction, 'a function'],
  sleep: [isFunction, 'a function'],
  startTimer: [isFunction, 'a function'],
}

/** The owner of the options, and the names of required ones. */
export interface OptionRules {
  /** The function that takes the options, for messages. */
  readonly owner: string
  readonly required: readonly (keyof BridgeClientOptions)[]
}

/**
 * Checks all options, so that a mistake is reported when the client is created and not in its first call.
 *
 * @param rules - The owner of the options, and the names of required ones.
 * @throws TypeError - An option is missing, unknown or invalid; the message names it and the expected value.
 */
export function checkOptions(options: unknown, rules: OptionRules): void {
  const { owner, required } = rules
  checkForms(owner, options, checks)
  const missing = required.find((name) => options[name] === undefined && !checks[name][0](undefined))
  if (missing !== undefined) throw new TypeError(`${missing} must be ${checks[missing][1]}.`)
}

/** Returns whether a value is a header name that the client does not set itself. */
export function isFreeHeader(value: unknown): boolean {
  return typeof value === 'string' && token.test(value) && !ownHeaders.includes(value.toLowerCase())
}

function isAuthorities(value: unknown): boolean {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (texts.length === 0) return false
  try {
    for (const text of texts) if (typeof text !== 'string' || new X509Certificate(text).raw.length === 0) return false
    return true
  } catch {
    return false
  }
}
