import type { Hmac } from '@trestle/protocol'
import type { Notices } from '../bridge/notices.ts'
import type { Settings } from '../bridge/settings.ts'
import { resolveSecrets, resolveStrictness } from '../config/authentication.ts'
import { type Environment, findEnvironment, isEdge } from '../config/environment.ts'

/** The parts of a bridge that trust is made of. */
export interface TrustSource {
  readonly settings: Settings
  readonly notices: Notices
  readonly hmac: Hmac
}

/** All that verifying one call rests on. */
export interface Trust {
  /** Whether the call must be signed. */
  readonly strict: boolean
  /** Why, for the warning. */
  readonly reason: string
  /** The secrets, newest first; possibly none. */
  readonly secrets: readonly string[]
  /** The variables of the call. */
  readonly environment: Environment
  /** When the call arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** The bridge. */
  readonly bridge: TrustSource
}

const keyless =
  'This bridge has no secret key: set SERVICE_SECRET_KEY or the option secretKey to the secret key of the calling environment.'

/**
 * Gathers what verifying a call rests on. The environment is read now, because on some runtimes it is not there
 * before a request is.
 *
 * @param bridge - Its settings, messages and HMAC.
 * @param call - When the call arrived, and the variables that came with it.
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

/**
 * Warns, once per bridge, that calls are served unverified.
 *
 * @param trust - Of such a call.
 */
export function warnUnverified({
  bridge,
  reason,
}: Pick<Trust, 'reason'> & { readonly bridge: Pick<TrustSource, 'notices'> }): void {
  bridge.notices.once(
    `This bridge does not verify signatures, because ${reason}. ` +
      'In production set NODE_ENV=production or SERVICE_STRICT_AUTHENTICATION_ENABLED=true, and SERVICE_SECRET_KEY.',
  )
}

/**
 * Warns, once per bridge, that a call cannot be verified without a secret key.
 *
 * @param trust - Of such a call.
 */
export function warnKeyless({ bridge }: Trust): void {
  bridge.notices.once(`A call was rejected with 401 SigningKeyNotFoundError. ${keyless}`)
}

/**
 * Warns, once per bridge, that signatures are checked over a body that was re-serialized.
 *
 * @param trust - Of such a call.
 * @param hint - How to keep the raw body.
 */
export function warnReserialised({ bridge }: Trust, hint = 'Keep the raw body.'): void {
  bridge.notices.once(
    'The body of a call was parsed before it reached the bridge, so its signature is verified against the body re-' +
      `serialized as JSON. Callers that print JSON differently are rejected. ${hint}`,
  )
}

/**
 * Warns when a bridge is created that would refuse every call for want of a secret key, or that has one and serves calls
 * unverified all the same. A runtime whose environment comes with each request is not judged before there is one.
 *
 * @param bridge - Its settings and messages.
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
