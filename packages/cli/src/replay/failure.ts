import { type BridgeClientError, failures } from '@trestle/bridge-client'
import { cleanText } from '../base/clean-text.ts'

/**
 * Returns whether a bridge could not be called at all, which says nothing about the run. A timeout is not such a
 * failure: it shows that the handler takes too long.
 */
export function isTransportFailure({ code }: BridgeClientError): boolean {
  if (code === 'BridgeRequestTimeout') return false
  return Object.hasOwn(failures, code) && failures[code as keyof typeof failures].retried
}

/** Returns a failure of a run in words. */
export function toFailure({ code, message }: BridgeClientError): { readonly code: string; readonly message: string } {
  return { code, message: cleanText(message) }
}
