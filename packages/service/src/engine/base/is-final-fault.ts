import type { TakenItem } from '../../queue/queue.ts'
import { UnstorableValueError } from '../../store/check-parameter.ts'

/** The maximum number of attempts after failures of the service, over a few minutes. */
const maxAttempts = 12

/** Returns whether work that failed in the service is not tried again: it cannot succeed, or was tried too often. */
export function isFinalFault(error: unknown, { attempts }: Pick<TakenItem, 'attempts'>): boolean {
  return error instanceof UnstorableValueError || attempts >= maxAttempts
}
