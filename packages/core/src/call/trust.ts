import type { Hmac } from '@trestle/protocol'
import type { Notices } from '../bridge/notices.ts'
import type { Settings } from '../bridge/settings.ts'
import { resolveSecrets, resolveStrictness } from '../config/authentication.ts'
import { type Environment, findEnvironment, isEdge } from '../config/environment.ts'

/** The parts of a bridge that are needed to verify calls. */
export interface TrustSource {
  readonly settings: Settings
  readonly notices: Notices
  readonly hmac: Hmac
}

/** Everything needed to verify one call. */
export interface Trust {
  /** Whether the call must be signed. */
  readonly strict: boolean
  readonly reason: string
  /** The secrets, newest first; may be empty. */
  readonly secrets: readonly string[]
  /** The variables of the call. */
  readonly environment: Environment
  /** When the call arrived, milliseconds since 1970. */
  readonly nowMs: number
  readonly bridge: TrustSource
}

const keyless =
  'This bridge has no secret key: set SERVICE_SECRET_KEY or the option secretKey to the secret key of the calling environment.'

/**
 * Collects what is needed to verify a call. Reads the environment immediately, because some runtimes only have one
 * during a request.
 *
 * @param call - The arrival time of the call, and the variables passed with it.
 */
export function resolveTrust(
  bridge: TrustSource,
  { nowMs, env }: { readonly nowMs: number; readonly env?: unknown },
): Trust {
  const { settings, notices } = bridge
  const environment = findEnvironment(env)
  const { service } = settings
  const { strict, reason, unknown } = resolveStrictness(settings.strictAuthentication, environment, service)
  if (unknown) notices.once(`${unknown.name} is "${unknown.value}", which is neither true nor false, and is ignored.`)
  return { strict, reason, secrets: resolveSecrets(settings.secrets, environment, service), environment, nowMs, bridge }
}

/** Warns, once per bridge, that calls are not verified. */
export function warnUnverified({
  bridge,
  reason,
}: Pick<Trust, 'reason'> & { readonly bridge: Pick<TrustSource, 'notices'> }): void {
  bridge.notices.once(
    `This bridge does not verify signatures, because ${reason}. ` +
      'In production, set SERVICE_SECRET_KEY, and NODE_ENV=production without the option strictAuthentication, or ' +
      'SERVICE_STRICT_AUTHENTICATION_ENABLED=true.',
  )
}

/** Warns, once per bridge, that a call cannot be verified without a secret key. */
export function warnKeyless({ bridge }: Trust): void {
  bridge.notices.once(`A call was rejected with 401 SigningKeyNotFoundError. ${keyless}`)
}

/**
 * Warns, once per bridge, that signatures are checked over a body that was re-serialized.
 *
 * @param hint - How to keep the raw body.
 */
export function warnReserialised({ bridge }: Trust, hint = 'Keep the raw body.'): void {
  bridge.notices.once(
    'The body of a call was parsed before it reached the bridge, so its signature is verified against the body re-' +
      `serialized as JSON. Callers that print JSON differently are rejected. ${hint}`,
  )
}

/**
 * Warns at creation if a bridge would reject every call because it has no secret key, or if it has one but does not
 * verify calls. On runtimes that pass the environment with each request, this is checked on the first request.
 */
export function warnAtStart({ settings, notices }: Omit<TrustSource, 'hmac'>): void {
  if (isEdge()) return
  const environment = findEnvironment()
  const { service } = settings
  const { strict, reason } = resolveStrictness(settings.strictAuthentication, environment, service)
  const hasKey = resolveSecrets(settings.secrets, environment, service).length > 0
  if (hasKey && !strict) warnUnverified({ bridge: { notices }, reason })
  if (!hasKey && strict)
    notices.once(`Calls must be signed, because ${reason}, and all of them will be rejected. ${keyless}`)
}
