import type { StepDescription, StepReply, StepReplyMetadata } from '@trestle/protocol'
import type { StepOutcome } from './state/step-run.ts'

/** The parts of a reply other than the outcome. */
export interface ReplyParts {
  /** When the call was received, on the clock of `performance.now()`. */
  readonly startMs: number
  readonly steps?: readonly StepDescription[]
  /** Whether the executed step is the last one of its run. */
  readonly isFinal?: boolean | undefined
}

/**
 * Creates the metadata of a reply.
 *
 * @param parts - When the call was received, and the other parts of the reply.
 */
export function toMetadata({
  startMs,
  warnings = [],
  steps = [],
  isFinal = false,
}: ReplyParts & Pick<StepReplyMetadata, 'warnings'>): StepReplyMetadata {
  const duration = performance.now() - startMs
  return {
    status: 'success',
    error: false,
    duration,
    ...(warnings.length > 0 && { warnings }),
    ...(steps.length > 0 && { steps }),
    ...(isFinal && { final: true }),
  }
}

/**
 * Creates the reply of a step.
 *
 * @param outcome - The outcome of the run.
 * @param metadata - The metadata of the reply.
 */
export function toStepReply(
  { outputs, providers, skip, reached }: StepOutcome,
  metadata: StepReplyMetadata,
): StepReply {
  const options = { skip }
  return { outputs, providers, options, metadata: reached === false ? { ...metadata, reached } : metadata }
}
