import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { CallContext } from './service-context.ts'

/** Returns JSON with the values of secrets masked wherever they stand: an app may have written them into anything. */
export type Hide = <T>(value: T) => T

/**
 * Returns what masks the values of secret variables and the secret key of the environment of a call, as they are now. It
 * is for what an app has written: in an id of the service, a secret would stand by chance only.
 *
 * @param context - The call.
 */
export async function loadHide({ loadTarget, environment }: CallContext): Promise<Hide> {
  const { secrets, secretKey } = await loadTarget(environment.id)
  // Masking changes texts only, so the shape stays.
  return <T>(value: T): T => maskSecrets(value, [...secrets, secretKey]) as T
}

/**
 * Returns JSON with what {@link loadHide} masks.
 *
 * @param context - The call.
 * @param value - Any JSON.
 */
export async function hideSecrets<T>(context: CallContext, value: T): Promise<T> {
  const hide = await loadHide(context)
  return hide(value)
}
