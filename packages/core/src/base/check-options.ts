import { isObject, nearest } from '@trestle/protocol'

export interface OptionRule {
  /** Returns whether a value other than `undefined` is valid. */
  readonly fits: (value: unknown) => boolean
  /** The expected value, as worded in error messages: `a function`. */
  readonly form: string
}

/** Rules shared by several sets of options. */
export const optionRules: Readonly<Record<'text' | 'flag' | 'callback' | 'object' | 'texts' | 'anything', OptionRule>> =
  {
    text: { fits: (value) => typeof value === 'string', form: 'a string' },
    flag: { fits: (value) => typeof value === 'boolean', form: 'true or false' },
    callback: { fits: (value) => typeof value === 'function', form: 'a function' },
    object: { fits: isObject, form: 'an object' },
    texts: {
      fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      form: 'an array of strings',
    },
    anything: { fits: () => true, form: '' },
  }

/** Returns the rule of an option that has one of several values. */
export function oneOf(...values: readonly string[]): OptionRule {
  return { fits: (value) => values.includes(value as string), form: `one of ${values.join(', ')}` }
}

/**
 * Checks an options object: every option must be known and valid.
 *
 * @param what - The owner of the options, at the start of error messages: `Workflow "order"`.
 * @param options - The options as passed by the user.
 * @throws TypeError - The options are not an object, one is unknown, or one is invalid.
 */
export function checkOptions(
  what: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): asserts options is object {
  if (!isObject(options)) throw new TypeError(`${what}: the options must be an object; got ${show(options)}.`)
  for (const name of Object.keys(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) throw new TypeError(`${what}: unknown option ${show(name)}.${suggest(name, Object.keys(rules))}`)
    const value = options[name]
    if (value !== undefined && !rule.fits(value))
      throw new TypeError(`${what}: the option ${name} must be ${rule.form}; got ${show(value)}.`)
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100))
  if (Array.isArray(value)) return 'an array'
  // Printing the function's source would hide the problem.
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/**
 * The equivalents of options in other libraries. Listed by hand, because a similar name can have a different meaning.
 */
const elsewhere: Readonly<Record<string, string>> = { inputSchema: 'controlSchema', apiKey: 'secretKey' }

function suggest(name: string, optionNames: readonly string[]): string {
  const same = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
  const meant = same !== undefined && optionNames.includes(same) ? same : nearest(name, optionNames)
  return meant === undefined ? ` The options are ${optionNames.join(', ')}.` : ` Did you mean ${meant}?`
}
