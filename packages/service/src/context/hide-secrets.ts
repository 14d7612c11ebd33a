import { maskSecrets } from '../bridge/mask-secrets.ts'
import type { CallContext } from './service-context.ts'

/**
 * Returns what is shown of a run, with the values of secret variables and the secret key of the environment masked
 * wherever they stand: an app may have written them into anything.
 *
 * @param context - The call; the secrets are those of its environment as they are now.
 * @param value - Any JSON.
 */
export async function hideSecrets<T>({ loadTarget, environment }: CallContext, value: T): Promise<T> {
  const { secrets, secretKey } = await loadTarget(environment.id)
  // Masking changes texts only, so the shape stays.
  return maskSecrets(value, [...secrets, secretKey]) as T
}
