import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import { readSecret } from '../keys/authenticate.ts'
import { hashKey } from '../keys/hash-key.ts'
import type { Revocations } from '../keys/revocations.ts'

const maxKeys = 100

/**
 * Wraps a caller check so that previously accepted keys stay valid while the database is unavailable, when metrics are
 * needed most.
 *
 * @param check - Rejects callers without a key.
 * @param revocations - Reports replaced keys, after which all keys must be accepted again.
 */
export function rememberKeys(
  check: (call: HttpCall) => Promise<unknown>,
  revocations: Pick<Revocations, 'onCheck'>,
): (call: HttpCall) => Promise<void> {
  const accepted = new Set<string>()
  revocations.onCheck(() => accepted.clear())
  return async (call) => {
    const header = call.header('authorization')
    const hash = header === undefined ? undefined : hashKey(readSecret(header))
    try {
      await check(call)
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      if (hash === undefined || isRefused || !accepted.has(hash)) {
        if (hash !== undefined && isRefused) accepted.delete(hash)
        throw error
      }
      return
    }
    if (hash !== undefined && accepted.size < maxKeys) accepted.add(hash)
  }
}
