import { isObject } from '@trestle/protocol'
import { checkOptions, type OptionRule, optionRules } from '../base/check-options.ts'
import { maxSecrets, toSecrets } from '../config/authentication.ts'
import type { VariableNames } from '../config/service-preset.ts'
import type { BridgeOptions } from './bridge-options.ts'
import { hookNames } from './hooks.ts'

const { text, texts, flag, object } = optionRules
// The longest supported timer; a longer one would fire immediately.
const maxTimeoutMs = 2 ** 31 - 1

const variableKinds: readonly (keyof VariableNames)[] = ['secretKey', 'strictAuthentication', 'apiUrl']

/** The characters of a header name, according to RFC 9110. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const rules: Readonly<Record<keyof BridgeOptions, OptionRule>> = {
  workflows: { fits: isWorkflowList, form: 'an array of workflows created with workflow()' },
  agents: { fits: isAgentList, form: 'an array of agents created with agent()' },
  turnLimits: {
    fits: areTurnLimits,
    form: '{ running, waiting }, each an integer of 1 or more; one of them may be omitted',
  },
  waitUntil: optionRules.callback,
  secretKey: {
    fits: (value) => text.fits(value) || areSecrets(value),
    form: `a string or an array of at most ${maxSecrets} strings`,
  },
  strictAuthentication: flag,
  service: { fits: isServicePreset, form: 'a preset such as novu of @trestle/core/novu' },
  signatureHeader: {
    fits: isHeaderName,
    form: 'a header name',
  },
  apiUrl: text,
  maxBodyBytes: above0(Number.MAX_SAFE_INTEGER),
  timeoutMs: above0(maxTimeoutMs),
  exposeCode: flag,
  cors: {
    fits: (value) => value === '*' || optionRules.texts.fits(value),
    form: 'an array of origins such as "https://app.example.com", or "*"',
  },
  logger: {
    fits: (value) => hasFunctions(value, ['warn', 'error']),
    form: 'an object with the functions warn and error',
  },
  hooks: { fits: areHooks, form: `an object with any of the functions ${hookNames.join(', ')}` },
  nonceStore: { fits: (value) => hasFunctions(value, ['claim']), form: 'an object with the function claim' },
}

/** @throws TypeError - The options are not an object, one is unknown, or one is invalid. */
export function checkBridgeOptions(options: unknown): asserts options is BridgeOptions {
  checkOptions('A bridge', options, rules)
}

/** Returns whether a value is a list of valid secrets. An empty string counts as an unset variable. */
function areSecrets(value: unknown): boolean {
  return texts.fits(value) && toSecrets(value as readonly string[]).length <= maxSecrets
}

function isWorkflowList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item['run'] === 'function' && typeof item['id'] === 'string')
  )
}

function isAgentList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && isObject(item['handlers']) && typeof item['id'] === 'string')
  )
}

function isHeaderName(value: unknown): boolean {
  return typeof value === 'string' && headerName.test(value)
}

function isServicePreset(value: unknown): boolean {
  if (!isObject(value)) return false
  const { signatureHeader, variables, apiUrl, errorCodes, noSchema, dropsUnknown } = value
  return (
    isHeaderName(signatureHeader) &&
    isObject(variables) &&
    variableKinds.every((kind) => texts.fits(variables[kind])) &&
    (apiUrl === undefined || text.fits(apiUrl)) &&
    (errorCodes === undefined || object.fits(errorCodes)) &&
    (noSchema === undefined || object.fits(noSchema)) &&
    (dropsUnknown === undefined || typeof dropsUnknown === 'boolean')
  )
}

function areTurnLimits(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([name, limit]) =>
      ['running', 'waiting'].includes(name) &&
      (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) > 0)),
  )
}

function above0(most: number): OptionRule {
  return {
    fits: (value) => typeof value === 'number' && value > 0 && value <= most,
    form: `a number above 0 and at most ${most}`,
  }
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  // Class instances have their methods on the prototype, and `console` is a special object.
  return (
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}

function areHooks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return hookNames.every((name) => ['function', 'undefined'].includes(typeof Reflect.get(value, name)))
}
