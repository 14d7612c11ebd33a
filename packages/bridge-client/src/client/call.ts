import { BridgeClientError, createFailure } from '../failure/error.ts'
import type { ResolvedOptions } from '../options/resolve-options.ts'
import { toDisplayUrl } from '../policy/display-url.ts'
import type { BridgeCall, BridgeReplies } from '../transport/bridge-call.ts'
import { withDeadline } from '../transport/with-deadline.ts'
import { attempt } from './attempt.ts'
import { reportFailure } from './report-failure.ts'
import { retry, retryDelaysMs } from './retry.ts'

/**
 * Calls a bridge, with as many attempts as the schedule allows.
 *
 * @param signal - Aborts the call, which then rejects with the signal's reason.
 * @throws BridgeClientError - No URL is stored, or the last attempt failed.
 */
export async function callBridge<TAction extends keyof BridgeReplies>(
  call: BridgeCall<TAction>,
  options: ResolvedOptions,
  signal: AbortSignal | undefined,
): Promise<BridgeReplies[TAction]> {
  const { bridgeUrl, logger, sleep } = options
  const { action } = call
  const url = toDisplayUrl(bridgeUrl)
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw createFailure('RequestCacheError', url, { reason: 'signal is not an AbortSignal' })
  }
  signal?.throwIfAborted()
  if (bridgeUrl === '') throw createFailure('InvalidBridgeUrl', '(none)', { reason: 'no bridge URL is saved' })
  const resolvedNames = new Set<string>()
  const once = async (): Promise<unknown> => {
    try {
      return await withDeadline(
        (attemptSignal) => attempt(call, { ...options, resolvedNames: resolvedNames, signal: attemptSignal }),
        {
          ...options,
          signal,
        },
      )
    } catch (error) {
      if (error instanceof BridgeClientError || signal?.aborted) throw error
      // No other error is expected, but callers must always get a documented code.
      throw createFailure('UnknownBridgeNonRequestError', url, { reason: 'the attempt failed unexpectedly', error })
    }
  }
  const reply = await retry(once, {
    delaysMs: retryDelaysMs[action],
    sleep,
    signal,
    onFailure: (error, number, waitMs) => reportFailure(logger, error, { action, url, attempt: number, waitMs }),
  })
  // The required fields were checked; optional ones are trusted.
  return reply as BridgeReplies[TAction]
}
