import type { Hooks } from '@trestle/core'
import { contextStorage } from '../context/test-context.ts'

/**
 * Creates hooks that are not told of the calls with which the kit looks for steps behind the last one.
 *
 * @param hooks - The hooks of the test.
 */
export function withoutProbes(hooks: Hooks): Hooks {
  const isProbe = (): boolean => contextStorage.getStore()?.isProbe ?? false
  const { onReply, onError } = hooks
  return {
    ...hooks,
    ...(onReply && { onReply: (report) => (isProbe() ? undefined : onReply.call(hooks, report)) }),
    ...(onError && { onError: (error, report) => (isProbe() ? undefined : onError.call(hooks, error, report)) }),
  }
}
