import { isOfClass, isStepType } from '@trestle/protocol'

/** A field whose value differs. */
export interface FieldChange {
  /** Its path in the reply, such as `subject` or `providers/sendgrid/ipPoolName`. */
  readonly path: string
  /** The recorded value; undefined if the field is new. */
  readonly before: unknown
  /** The value in the replay; undefined if the field was removed. */
  readonly after: unknown
}

/** What a bridge returned for a step. */
export interface ShownReply {
  readonly outputs: Readonly<Record<string, unknown>>
  readonly providers: Readonly<Record<string, unknown>>
}

/** Returns the parts of a reply that are shown. */
export function toShown({ outputs, providers }: ShownReply): ShownReply {
  return { outputs, providers }
}

/**
 * How a step of a replay differs: it is missing, new, has different outputs, fails, or succeeds after an earlier failure.
 */
export type DifferenceKind = 'lost' | 'added' | 'changed' | 'failing' | 'fixed'

/** A difference between a run and its replay. */
export interface Difference {
  readonly kind: DifferenceKind
  /** The step; null for the workflow function. */
  readonly stepId: string | null
  /** The type of step; null for the workflow function. */
  readonly type: string | null
  /** The difference in one sentence. */
  readonly message: string
  /** The code of a failure. */
  readonly code?: string
  readonly fields?: readonly FieldChange[]
  /** The recorded reply. */
  readonly before?: ShownReply
  /** The reply of the replay. */
  readonly after?: ShownReply
}

/** The outcome of a replay. */
export interface ReplayedRun {
  readonly runId: string
  readonly workflowId: string
  /** `not-comparable` if it could not be replayed; a run with a failing step is `failing`. */
  readonly outcome: 'same' | 'different' | 'failing' | 'not-comparable'
  /** Why it is not comparable, or why only its start was compared; null otherwise. */
  readonly reason: string | null
  readonly differences: readonly Difference[]
}

/** Returns whether a difference is about a message. */
export function isMessage({ type }: Pick<Difference, 'type'>): boolean {
  return isStepType(type) && isOfClass(type, 'message')
}
