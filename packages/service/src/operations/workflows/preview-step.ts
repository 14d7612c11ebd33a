import type { JsonObject, StepReply } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { toComposedStep } from '../../compose/composed-step.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'
import { findStep } from './workflow-steps-row.ts'
import { loadControls } from './workflow-view.ts'

/** The data a step is shown with; a bridge fills in samples for what is left out. */
export interface PreviewInput {
  /** Control values, over those that are stored. */
  readonly controls?: JsonObject | undefined
  /** The payload. */
  readonly payload?: JsonObject | undefined
  /** The recipient. */
  readonly subscriber?: JsonObject | undefined
  /** Results of earlier steps, by step. */
  readonly steps?: JsonObject | undefined
  /** The contexts. */
  readonly context?: JsonObject | undefined
}

/** A step as the bridge rendered it. */
export interface PreviewedStep {
  /** The step. */
  readonly step: StoredStep
  /** The bridge's answer. */
  readonly reply: StepReply
}

/**
 * Renders a step on sample data: the bridge does, or the service itself where the workflow was stored through the API.
 *
 * @param params - `workflowId` and `stepId`.
 * @throws {ApiError} 404 for an unknown step; the status of the bridge's own failure, with its code in `ctx`.
 */
export async function previewStep(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  input: PreviewInput,
): Promise<PreviewedStep> {
  const { db } = context.store
  const { workflow, step } = await findStep(db, context, params)
  const { payload, subscriber = {}, steps = {}, controls } = input
  const state = Object.entries(steps).map(([stepId, outputs]) => ({
    stepId,
    outputs: toObject(outputs),
    state: { status: 'completed' },
  }))
  const stored = (await loadControls(db, workflow)).get(step.stepId)
  const event = {
    ...(payload ? { payload } : {}),
    ...(input.context ? { context: input.context } : {}),
    subscriber,
    controls: { ...stored, ...controls },
    state,
  }
  const { reply, failure } = await context.bridge.callStep({
    target: await context.loadTarget(context.environment.id),
    bridgeUrl: null,
    action: 'preview',
    workflowId: workflow.identifier,
    stepId: step.stepId,
    composed: toComposedStep(workflow, step),
    event: event as never,
    signal: context.signal,
  })
  if (reply) return { step, reply }
  const { status = 502, message = 'The bridge did not answer.', code, data } = failure ?? {}
  throw new ApiError(status >= 400 && status < 600 ? status : 502, message, { ctx: { code, data: data ?? null } })
}
