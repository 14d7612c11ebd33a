import type { ErrorCode, JsonObject } from '@trestle/protocol'
import type { Environment } from './environment.ts'

/** The names of the variables that a bridge reads, each list in the order in which it is read. */
export interface VariableNames {
  /** The secret key. */
  readonly secretKey: readonly string[]
  /** Whether calls must be signed. */
  readonly strictAuthentication: readonly string[]
  /** The base address of the REST API. */
  readonly apiUrl: readonly string[]
}

/** The names that another service has for what bridge and service agree on; `novu` of `@trestle/core/novu` is one. */
export interface ServicePreset {
  /** The header that carries the signature. Calls that are signed in `service-signature` are taken too. */
  readonly signatureHeader: string
  /** Variables that are read after `SERVICE_SECRET_KEY` and the others. */
  readonly variables: VariableNames
  /** Base address of the REST API where neither option nor variable names one. @default none */
  readonly apiUrl?: string | undefined
  /** Codes that failures have for calls with that header, by their code here; the others keep theirs. @default none */
  readonly errorCodes?: Readonly<Partial<Record<ErrorCode, string>>> | undefined
  /** What `discover` publishes where payload, controls or variables have no schema. @default {} */
  readonly noSchema?: JsonObject | undefined
  /**
   * Whether unknown fields of outputs and payloads are dropped and unknown template variables print nothing, with one
   * warning each, as in the framework of that service. @default false: they are errors
   */
  readonly dropsUnknown?: boolean | undefined
}

const ownNames: VariableNames = {
  secretKey: ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY'],
  strictAuthentication: ['SERVICE_STRICT_AUTHENTICATION_ENABLED'],
  apiUrl: ['SERVICE_API_URL'],
}

/**
 * Returns the names of the variables that are read: the framework's own, then those of the service.
 *
 * @param service - The option `service`.
 * @param name - What the variables hold.
 */
export function namesOf(service: ServicePreset | undefined, name: keyof VariableNames): readonly string[] {
  return service ? [...ownNames[name], ...service.variables[name]] : ownNames[name]
}

/**
 * Returns the base address of the service's REST API; `undefined` where none is set.
 *
 * @param option - The option `apiUrl`.
 * @param environment - Reads variables.
 * @param service - The option `service`.
 */
export function resolveApiUrl(
  option: string | undefined,
  environment: Environment,
  service?: ServicePreset | undefined,
): string | undefined {
  if (option !== undefined) return option
  for (const name of namesOf(service, 'apiUrl')) {
    const value = environment?.(name)
    if (value) return value
  }
  return service?.apiUrl
}
