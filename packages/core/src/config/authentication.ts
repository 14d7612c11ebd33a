import { type Environment, isEdge } from './environment.ts'
import { namesOf, type ServicePreset } from './service-preset.ts'

/** The maximum number of secrets of a bridge. */
export const maxSecrets = 3
const developmentNames: readonly (string | undefined)[] = ['development', 'dev', undefined]

/** Whether calls must be signed, and why. */
export interface Strictness {
  /** Whether every call except `health-check` must have a valid signature. */
  readonly strict: boolean
  /** The source of the setting, for the warning. */
  readonly reason: string
  /** An environment variable with an unrecognized value. */
  readonly unknown?: { readonly name: string; readonly value: string }
}

const byOption: Strictness = Object.freeze({ strict: true, reason: 'the option strictAuthentication is true' })

/**
 * Determines whether calls must be signed.
 *
 * @param option - The bridge's option `strictAuthentication`.
 * @param environment - Reads variables; `null` if the runtime has none.
 * @source bridge-protocol.md#signature
 */
export function resolveStrictness(
  option: boolean | undefined,
  environment: Environment,
  service?: ServicePreset | undefined,
): Strictness {
  // The environment cannot make authentication stricter.
  if (option === true) return byOption
  let forcing: string | undefined
  let unknown: Strictness['unknown']
  for (const name of namesOf(service, 'strictAuthentication')) {
    const value = environment?.(name) ?? ''
    if (value === 'true') forcing ??= name
    else if (value !== '' && value !== 'false') unknown ??= { name, value }
  }
  const decided = decide(option, forcing, environment)
  return unknown ? { ...decided, unknown } : decided
}

function decide(option: boolean | undefined, forcing: string | undefined, environment: Environment): Strictness {
  if (forcing !== undefined) return { strict: true, reason: `${forcing} is true` }
  if (option === false) return { strict: false, reason: 'the option strictAuthentication is false' }
  if (!environment) return { strict: true, reason: 'the runtime has no environment' }
  const name = environment('NODE_ENV')
  if (name === undefined && isEdge()) return { strict: true, reason: 'NODE_ENV is not set on an edge runtime' }
  const valueText = name === undefined ? 'is not set' : `is "${name}"`
  return { strict: !developmentNames.includes(name), reason: `NODE_ENV ${valueText}` }
}

/** Returns the secrets in the option `secretKey`, newest first, without empty strings. */
export function toSecrets(option: string | readonly string[] | undefined): readonly string[] {
  const given = typeof option === 'string' ? [option] : (option ?? [])
  return given.filter((secret) => secret !== '')
}

/**
 * Returns the accepted secrets, newest first, at most three.
 *
 * @param given - The secrets from the option `secretKey`, which override variables.
 * @source bridge-protocol.md#signature
 */
export function resolveSecrets(
  given: readonly string[],
  environment: Environment,
  service?: ServicePreset | undefined,
): readonly string[] {
  if (given.length > 0) return given
  for (const name of namesOf(service, 'secretKey')) {
    const value = environment?.(name)
    if (value) return [value]
  }
  return []
}
