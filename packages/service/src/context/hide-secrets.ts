import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { CallContext } from './service-context.ts'

/** Masks secrets anywhere in JSON, because an app may have written them into any field. */
export type Hide = <T>(value: T) => T

/**
 * Returns a function that masks the current values of secret variables and the secret key of the call's environment.
 * Use it for data of apps only: in an id of the service, a match would be a coincidence.
 */
export async function loadHide({ loadTarget, environment }: CallContext): Promise<Hide> {
  const { secrets, secretKey } = await loadTarget(environment.id)
  // Masking only changes strings, so the type is preserved.
  return <T>(value: T): T => maskSecrets(value, [...secrets, secretKey]) as T
}

/** Returns JSON masked by {@link loadHide}. */
export async function hideSecrets<T>(context: CallContext, value: T): Promise<T> {
  const hide = await loadHide(context)
  return hide(value)
}
