import { isObject } from '@trestle/protocol'
import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { CallContext } from './service-context.ts'

/** Masks secrets anywhere in JSON, because an app may have written them into any field. */
export type Hide = <T>(value: T) => T

/**
 * Returns a function that masks the current values of secret variables and the secret key of the call's environment.
 * Only use it for data from apps, because a match in an id of the service would be a coincidence.
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

/**
 * Returns JSON in which texts that have not changed since they were shown contain their secrets again, so that a form
 * with masked values can be sent back.
 *
 * @param given - The JSON as it was sent.
 * @param original - The JSON with its secrets.
 * @param hide - The function that masked it.
 */
export function restoreSecrets(given: unknown, original: unknown, hide: Hide): unknown {
  if (typeof given === 'string') return typeof original === 'string' && hide(original) === given ? original : given
  if (Array.isArray(given))
    return given.map((item, index) => restoreSecrets(item, Array.isArray(original) ? original[index] : undefined, hide))
  if (!isObject(given)) return given
  const from = isObject(original) ? original : {}
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      restoreSecrets(value, Object.hasOwn(from, name) ? from[name] : undefined, hide),
    ]),
  )
}
