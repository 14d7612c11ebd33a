import { CodedError, signatureWindowMs } from '@trestle/protocol'
import type { NonceStore } from '../bridge/bridge-options.ts'

// A store beside the app answers within milliseconds; most of the call's time belongs to the step.
const claimTimeoutMs = 1000

/**
 * Claims a signature that has been proved, so that it is taken once: all of its MACs, as each would prove the call alone.
 *
 * @param store - Where used signatures are kept.
 * @param call - The signature's MACs that match, and how long a call may take until they are known, milliseconds.
 * @throws CodedError - `SignatureExpiredError` when it was used before; `NonceStoreUnavailableError` when the store
 *   fails or is silent for a second: a call that may be a replay is not served.
 */
export async function claimNonces(
  store: NonceStore,
  { nonces, timeoutMs }: { readonly nonces: readonly string[]; readonly timeoutMs: number },
): Promise<void> {
  // From the first moment of the window to its last, at which a call may begin to arrive that is claimed when its body
  // is there.
  const ttlMs = 2 * signatureWindowMs + timeoutMs + claimTimeoutMs
  let fresh = true
  for (const nonce of nonces) if (!(await ask(store, nonce, ttlMs))) fresh = false
  if (!fresh) throw new CodedError('SignatureExpiredError', 'The signature was already used. Sign each attempt again.')
}

async function ask(store: NonceStore, nonce: string, ttlMs: number): Promise<boolean> {
  try {
    const claimed: unknown = store.claim(nonce, ttlMs)
    const fresh = typeof claimed === 'boolean' ? claimed : await inTime(claimed)
    if (typeof fresh === 'boolean') return fresh
    throw new TypeError(`claim must return true or false, or a promise of it; got ${typeof fresh}`)
  } catch (cause) {
    throw new CodedError(
      'NonceStoreUnavailableError',
      'The store of used signatures did not answer, so the call was not processed. Retry later.',
      { cause },
    )
  }
}

async function inTime(work: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`claim took longer than ${claimTimeoutMs} ms`)), claimTimeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
