import { type Environment, isEdge } from './environment.ts'
import { namesOf, type ServicePreset } from './service-preset.ts'

const maxSecrets = 3
const developmentNames: readonly (string | undefined)[] = ['development', 'dev', undefined]

/** Whether calls must be signed, and why. */
export interface Strictness {
  /** True when every call but `health-check` must carry a valid signature. */
  readonly strict: boolean
  /** The source of the decision, for the warning. */
  readonly reason: string
  /** A variable of the environment that was not understood. */
  readonly unknown?: { readonly name: string; readonly value: string }
}

/**
 * Decides whether calls must be signed.
 *
 * @param option - The bridge's option `strictAuthentication`.
 * @param environment - Reads variables; `null` where the runtime has none.
 * @param service - The option `service`.
 * @source Specification, "Bridge request signature", 3; protocol, "Signature".
 */
export function resolveStrictness(
  option: boolean | undefined,
  environment: Environment,
  service?: ServicePreset | undefined,
): Strictness {
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
  if (option !== undefined) return { strict: option, reason: `the option strictAuthentication is ${option}` }
  if (!environment) return { strict: true, reason: 'the runtime has no environment' }
  const name = environment('NODE_ENV')
  if (name === undefined && isEdge()) return { strict: true, reason: 'NODE_ENV is not set on an edge runtime' }
  const shown = name === undefined ? 'is not set' : `is "${name}"`
  return { strict: !developmentNames.includes(name), reason: `NODE_ENV ${shown}` }
}

/**
 * Returns the secrets a signature may have been made with, newest first, at most three.
 *
 * @param option - The bridge's option `secretKey`; empty strings in it are skipped.
 * @param environment - Reads variables.
 * @param service - The option `service`.
 * @source Specification, "Bridge request signature", 4.
 */
export function resolveSecrets(
  option: string | readonly string[] | undefined,
  environment: Environment,
  service?: ServicePreset | undefined,
): readonly string[] {
  const given = (typeof option === 'string' ? [option] : (option ?? [])).filter((secret) => secret !== '')
  if (given.length > 0) return given.slice(0, maxSecrets)
  for (const name of namesOf(service, 'secretKey')) {
    const value = environment?.(name)
    if (value) return [value]
  }
  return []
}
