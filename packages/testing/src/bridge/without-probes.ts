import type { Hooks } from '@trestle/core'
import { contextStorage } from '../context/test-context.ts'

/** Wraps hooks so that they ignore calls that only look for steps after the last one. */
export function withoutProbes(hooks: Hooks): { readonly [Name in keyof Required<Hooks>]: Hooks[Name] } {
  const isProbe = (): boolean => contextStorage.getStore()?.isProbe ?? false
  const { onRequest, onStep, onError, onInvalidSignature, onReply } = hooks
  return {
    onRequest: onRequest && ((call) => (isProbe() ? undefined : onRequest.call(hooks, call))),
    onStep: onStep && ((report, call) => (isProbe() ? undefined : onStep.call(hooks, report, call))),
    onError: onError && ((error, report, call) => (isProbe() ? undefined : onError.call(hooks, error, report, call))),
    onInvalidSignature:
      onInvalidSignature && ((report, call) => (isProbe() ? undefined : onInvalidSignature.call(hooks, report, call))),
    onReply: onReply && ((report, call) => (isProbe() ? undefined : onReply.call(hooks, report, call))),
  }
}
