import { context, ROOT_CONTEXT, type Span } from '@opentelemetry/api'
import type { JobRow, RunRow, TriggerRow } from '../store/schema/run.ts'
import { type SpanDraft, startSpan, toConsumer, toLinks, toProducer } from './spans.ts'

/** Starts the span of an accepted trigger; its context is stored with the trigger. */
export function startTriggerSpan({ workflowIdentifier, ...row }: Omit<TriggerRow, 'trace'>): Span {
  return startSpan(
    toProducer('send', {
      operation: 'trigger',
      destination: workflowIdentifier,
      attributes: { 'trestle.trigger_id': row.id, 'trestle.trigger_kind': row.kind },
    }),
  )
}

/** Returns the span of creating the next runs of a trigger. */
export function toStartSpan({ id, trace, workflowIdentifier }: TriggerRow): SpanDraft {
  const attributes = { 'trestle.trigger_id': id, 'trestle.workflow_id': workflowIdentifier }
  return toConsumer(trace, { operation: 'start', destination: workflowIdentifier, attributes })
}

/**
 * Starts the span of a new run; its context is stored with the run, and is the parent of all its steps.
 *
 * @param isLarge - Whether the trigger has many runs. Then each run has its own trace, with a link to the trigger,
 *   because a trace with the steps of thousands of recipients is unusable.
 */
export function startRunSpan({ id, workflowIdentifier }: Omit<RunRow, 'trace'>, isLarge: boolean): Span {
  const attributes = { 'trestle.run_id': id, 'trestle.workflow_id': workflowIdentifier }
  const draft = toProducer('create', { operation: 'run', destination: workflowIdentifier, attributes })
  return startSpan(isLarge ? { ...draft, parent: ROOT_CONTEXT, links: toLinks(context.active()) } : draft)
}

/**
 * Returns the span of one attempt to work on a step.
 *
 * @param attempt - How often the work was taken from the queue.
 */
export function toStepSpan({ id, trace, workflowIdentifier }: RunRow, job: JobRow, attempt: number): SpanDraft {
  const attributes = {
    'trestle.run_id': id,
    'trestle.workflow_id': workflowIdentifier,
    'trestle.step_id': job.stepId,
    'trestle.step_type': job.type,
    'trestle.attempt': attempt,
  }
  return toConsumer(trace, { operation: 'step', destination: `${workflowIdentifier}/${job.stepId}`, attributes })
}

/** Returns the span of asking the bridge of a run for the next step. */
export function toNextSpan({ id, trace, workflowIdentifier }: RunRow, attempt: number): SpanDraft {
  const attributes = {
    'trestle.run_id': id,
    'trestle.workflow_id': workflowIdentifier,
    'trestle.attempt': attempt,
  }
  return toConsumer(trace, { operation: 'next', destination: workflowIdentifier, attributes })
}
