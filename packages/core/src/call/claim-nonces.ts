import { CodedError, signatureWindowMs } from '@trestle/protocol'
import type { NonceStore } from '../bridge/bridge-options.ts'

// A local store responds within milliseconds; most of the call's time is reserved for the step.
const claimTimeoutMs = 1000

/**
 * Records a verified signature so that it is accepted only once. All of its MACs are recorded, because each of them is
 * valid by itself.
 *
 * @param call - The matching MACs of the signature, and the time limit of a call in milliseconds.
 * @throws CodedError - `SignatureExpiredError` if it was used before; `NonceStoreUnavailableError` if the store fails
 * or does not respond within a second, because the call could be a replay.
 */
export async function claimNonces(
  store: NonceStore,
  { nonces, timeoutMs }: { readonly nonces: readonly string[]; readonly timeoutMs: number },
): Promise<void> {
  // From the start to the end of the time window, plus the time until the body of a call has arrived.
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
