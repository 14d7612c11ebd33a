import { type ErrorReply, isStepType, type NextReply, type NextStepReply, type OpenStep } from '@trestle/protocol'

/** A bridge's response to a request for the next steps: a reply or a failure. */
export interface NextAnswer<TError extends ErrorReply> {
  readonly reply?: NextReply
  readonly error?: TError
}

/** The state of a run when a response arrives. */
export interface NextSituation {
  /** Returns whether a step has a result, or was returned earlier. */
  readonly isKnown: (stepId: string) => boolean
  /** Whether a result was stored, or a step started to wait, after the call was made. */
  readonly isStale: boolean
  /** Whether a step is being called. The end of that step triggers the next request. */
  readonly isCalling: boolean
  /** Whether a step is waiting, such as a delay or a digest. */
  readonly isSleeping: boolean
  /** Whether the function can still call a step without a new result, because the request did not wait long enough. */
  readonly isUnsettled: boolean
}

/** What follows from a response. */
export type NextTurn<TError extends ErrorReply> =
  /** The bridge has executed a step. */
  | { readonly kind: 'executed'; readonly step: OpenStep; readonly reply: NextStepReply }
  /** A step failed. */
  | { readonly kind: 'stepFailed'; readonly step: OpenStep; readonly error: TError }
  /** The run failed. */
  | { readonly kind: 'runFailed'; readonly error: TError }
  /** Call the steps by id, in parallel. */
  | { readonly kind: 'open'; readonly steps: readonly OpenStep[] }
  /** The answer is outdated: call the bridge again. */
  | { readonly kind: 'again' }
  /** The end of a step leads to the next call. */
  | { readonly kind: 'wait' }
  /** The function has returned. Sleeping delays are canceled. */
  | { readonly kind: 'done' }
  /** The function awaits steps, none of which can end. */
  | { readonly kind: 'stuck' }

/**
 * Returns what follows from a response. A reply without steps only counts if no result was stored after the call was
 * made.
 *
 * @source bridge-protocol.md#continuing-a-run
 */
export function toNextTurn<TError extends ErrorReply>(
  { reply, error }: NextAnswer<TError>,
  situation: NextSituation,
): NextTurn<TError> {
  if (error) return toFailed(error, situation)
  if (!reply) return { kind: 'again' }
  if ('step' in reply) return { kind: 'executed', step: reply.step, reply }
  if ('open' in reply && reply.open.length > 0) return { kind: 'open', steps: reply.open }
  if (situation.isStale) return { kind: 'again' }
  if (situation.isCalling) return { kind: 'wait' }
  if (situation.isUnsettled) return { kind: 'again' }
  if ('done' in reply) return { kind: 'done' }
  return situation.isSleeping ? { kind: 'wait' } : { kind: 'stuck' }
}

/** A failure is attributed to a step only if it names a step that could have been executed. */
function toFailed<TError extends ErrorReply>(error: TError, { isKnown }: NextSituation): NextTurn<TError> {
  const step = toNamedStep(error)
  return step && !isKnown(step.stepId) ? { kind: 'stepFailed', step, error } : { kind: 'runFailed', error }
}

/** Returns the step that a failure names. */
export function toNamedStep({ data }: ErrorReply): OpenStep | undefined {
  const { stepId, type } = (data ?? {}) as { readonly stepId?: unknown; readonly type?: unknown }
  return typeof stepId === 'string' && isStepType(type) ? { stepId, type } : undefined
}
