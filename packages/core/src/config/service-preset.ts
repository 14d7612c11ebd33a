import type { ErrorCode, JsonObject } from '@trestle/protocol'
import type { Environment } from './environment.ts'

/** The names of the variables that a bridge reads, in order of precedence. */
export interface VariableNames {
  readonly secretKey: readonly string[]
  /** Whether calls must be signed. */
  readonly strictAuthentication: readonly string[]
  /** The base address of the REST API. */
  readonly apiUrl: readonly string[]
}

/** The names that another service uses, such as `novu` from `@trestle/core/novu`. */
export interface ServicePreset {
  /** The signature header. Signatures in `service-signature` are accepted too. */
  readonly signatureHeader: string
  /** The variables that are read after `SERVICE_SECRET_KEY` and the other standard names. */
  readonly variables: VariableNames
  /** Default base address of the REST API. @default none */
  readonly apiUrl?: string | undefined
  /** Error codes for calls with that header, by the framework's code; other codes are unchanged. @default none */
  readonly errorCodes?: Readonly<Partial<Record<ErrorCode, string>>> | undefined
  /** The schema that `discover` publishes for a payload, controls or variables without a schema. @default {} */
  readonly noSchema?: JsonObject | undefined
  /**
   * Whether unknown fields of outputs, results and payloads are dropped and unknown template variables print nothing,
   * with one warning each, as in that service's framework. @default false: they are errors
   */
  readonly dropsUnknown?: boolean | undefined
}

const ownNames: VariableNames = {
  secretKey: ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY'],
  strictAuthentication: ['SERVICE_STRICT_AUTHENTICATION_ENABLED'],
  apiUrl: ['SERVICE_API_URL'],
}

/** Returns the variable names to read: the framework's, then those of the service. */
export function namesOf(service: ServicePreset | undefined, name: keyof VariableNames): readonly string[] {
  return service ? [...ownNames[name], ...service.variables[name]] : ownNames[name]
}

/** Returns the base address of the service's REST API; `undefined` if none is set. */
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
