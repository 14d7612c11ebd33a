import type { JsonObject, StepReply } from '@trestle/protocol'

import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { toBridgeError } from '../../bridge/bridge-error.ts'

import { toComposedStep } from '../../compose/composed-step.ts'
import { hideSecrets } from '../../context/hide-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { type FoundStep, findStep } from './workflow-steps-row.ts'
import { loadControls } from './workflow-view.ts'

/** The result of an earlier step of a previewed run. */
export interface PreviewState {
  readonly stepId: string
  /** The outputs that later steps see. */
  readonly outputs: JsonObject
}

/** The input of a preview. The bridge fills in samples for omitted fields. */
export interface PreviewInput {
  /** Control values, merged over the stored ones. */
  readonly controls?: JsonObject | undefined
  /** Whether to use stored control values. @default true */
  readonly storedControls?: boolean | undefined
  readonly payload?: JsonObject | undefined
  readonly subscriber?: JsonObject | undefined
  /** Results of earlier steps, by step. */
  readonly steps?: JsonObject | undefined
  /** Results of earlier steps. */
  readonly state?: readonly PreviewState[] | undefined
  readonly context?: JsonObject | undefined
}

/** A step as the bridge rendered it. */
export interface PreviewedStep extends Pick<FoundStep, 'step'> {
  readonly reply: StepReply
}

/**
 * Renders a step on sample data: by the bridge, or by the service if the workflow was stored through the API.
 *
 * @param params - `workflowId` and `stepId`.
 * @throws {ApiError} 404 for an unknown step; the status of the bridge's own failure, with its code in `ctx`.
 */
export async function previewStep(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  input: PreviewInput,
): Promise<PreviewedStep> {
  const { step, outcome } = await askPreview(context, params, input)
  if (outcome.reply) return { step, reply: await hideSecrets(context, outcome.reply) }
  throw toBridgeError(outcome.failure)
}

/** The bridge's reply for a step. */
export interface AskedPreview extends FoundStep {
  /** The reply or failure. */
  readonly outcome: BridgeOutcome
}

/**
 * Requests a preview of a step from the bridge. A failure of the bridge is returned as an outcome.
 *
 * @param params - `workflowId` and `stepId`.
 * @throws {ApiError} 404 for an unknown step.
 */
export async function askPreview(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  input: PreviewInput,
): Promise<AskedPreview> {
  const { db } = context.store
  const { workflow, step } = await findStep(db, context, params)
  const { payload, subscriber = {}, controls, storedControls = true } = input
  const stored = storedControls ? (await loadControls(db, workflow)).get(step.stepId) : {}
  const event = {
    ...(payload ? { payload } : {}),
    ...(input.context ? { context: input.context } : {}),
    subscriber,
    controls: { ...stored, ...controls },
    state: toState(input),
  }
  const outcome = await context.bridge.callStep({
    target: await context.loadTarget(context.environment.id),
    bridgeUrl: null,
    action: 'preview',
    workflowId: workflow.identifier,
    stepId: step.stepId,
    composed: toComposedStep(workflow, step),
    event: event as never,
    signal: context.signal,
  })
  return { workflow, step, outcome }
}

function toState({ steps = {}, state = [] }: PreviewInput): readonly JsonObject[] {
  const named = Object.entries(steps).map(([stepId, outputs]) => ({ stepId, outputs: toObject(outputs) }))
  return [...named, ...state].map(({ stepId, outputs }) => ({ stepId, outputs, state: { status: 'completed' } }))
}
