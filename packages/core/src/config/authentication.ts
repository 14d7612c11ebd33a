import type { Environment } from './environment.ts'

const maxSecrets = 3
const strictVariable = 'SERVICE_STRICT_AUTHENTICATION_ENABLED'
const secretVariables = ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']
const developmentNames: readonly (string | undefined)[] = ['development', 'dev', undefined]

/** Whether calls must be signed, and why. */
export interface Strictness {
  /** True when every call but `health-check` must carry a valid signature. */
  readonly strict: boolean
  /** The source of the decision, for the warning. */
  readonly reason: string
  /** A value of the environment that was not understood. */
  readonly unknownValue?: string
}

/**
 * Decides whether calls must be signed.
 *
 * @param option - The bridge's option `strictAuthentication`.
 * @param environment - Reads variables; `null` where the runtime has none.
 * @source Specification, "Bridge request signature", 3; protocol, "Signature".
 */
export function resolveStrictness(option: boolean | undefined, environment: Environment): Strictness {
  const variable = environment?.(strictVariable)
  const unknown = variable !== undefined && variable !== '' && variable !== 'true' && variable !== 'false'
  const decided = decide(option, variable, environment)
  return unknown ? { ...decided, unknownValue: variable } : decided
}

function decide(option: boolean | undefined, variable: string | undefined, environment: Environment): Strictness {
  if (variable === 'true') return { strict: true, reason: `${strictVariable} is true` }
  if (option !== undefined) return { strict: option, reason: `the option strictAuthentication is ${option}` }
  if (!environment) return { strict: true, reason: 'the runtime has no environment' }
  const name = environment('NODE_ENV')
  const shown = name === undefined ? 'is not set' : `is "${name}"`
  return { strict: !developmentNames.includes(name), reason: `NODE_ENV ${shown}` }
}

/**
 * Returns the secrets a signature may have been made with, newest first, at most three.
 *
 * @param option - The bridge's option `secretKey`; empty strings in it are skipped.
 * @param environment - Reads variables.
 * @source Specification, "Bridge request signature", 4.
 */
export function resolveSecrets(
  option: string | readonly string[] | undefined,
  environment: Environment,
): readonly string[] {
  const given = (typeof option === 'string' ? [option] : (option ?? [])).filter((secret) => secret !== '')
  if (given.length > 0) return given.slice(0, maxSecrets)
  for (const name of secretVariables) {
    const value = environment?.(name)
    if (value) return [value]
  }
  return []
}
