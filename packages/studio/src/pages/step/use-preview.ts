import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import type { Outputs } from '../../preview/outputs.ts'
import { useSession } from '../../session/session.tsx'
import { useSettled } from '../../session/settled.ts'

/** The input of a preview; the bridge uses samples for omitted values. */
export interface PreviewInput {
  /** The payload of the trigger. */
  readonly payload?: unknown
  /**
   * The values of the step's controls, including saved ones: answers are cached by their input, so saved values must be
   * part of it.
   */
  readonly controls: unknown
  /** Saved values are not merged by the service. */
  readonly storedControls: false
  /** The recipient. */
  readonly subscriber?: unknown
  /** The results of earlier steps. */
  readonly state?: unknown
}

/** A warning about the rendering of a step. */
export interface PreviewWarning {
  /** Stable code. */
  readonly code: string
  /** The warning, and how to fix it. */
  readonly message: string
}

/** A part that was removed from a step's HTML. */
export interface Removal {
  /** The kind, such as `element` or `attribute`. */
  readonly kind: string
  /** Its name. */
  readonly name: string
  /** The line in the returned HTML, starting at 1. */
  readonly line: number
  /** The column, starting at 1. */
  readonly column: number
}

/** Why a step could not be rendered. */
export interface PreviewError {
  /** Stable code with a page. */
  readonly code: string
  /** The error message. */
  readonly message: string
  /** The location: a position in a template, or a list of fields. */
  readonly data: unknown
  /** HTTP status of the bridge's answer. */
  readonly status: number
}

/** The result of a preview. */
export interface Rendered {
  /** Whether the step was rendered. */
  readonly ok: true
  /** The outputs of the step. */
  readonly outputs: Outputs
  /** Overrides by provider. */
  readonly providers: Outputs
  /** Whether it would be skipped. */
  readonly options: { readonly skip?: boolean }
  /** The mail with its layout and text part. */
  readonly message: Outputs | null
  /** Warnings. */
  readonly warnings: readonly PreviewWarning[]
  /** Parts removed from its HTML. */
  readonly removed?: readonly Removal[]
  /** The duration, in milliseconds. */
  readonly durationMs: number
}

/** The state of a preview. */
export type PreviewAnswer = Rendered | { readonly ok: false; readonly error: PreviewError }

/** The previewed step. */
export interface PreviewedStep {
  /** Its workflow. */
  readonly workflowId: string
  /** The step. */
  readonly stepId: string
  /** A text that changes when the step must be rendered again with the same input. */
  readonly version: string
}

const againMs = 3000
/** Errors that disappear when the app is restarted. */
const unreached = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['BridgeEndpointNotFound', 'BridgeEndpointUnavailable', 'BridgeRequestTimeout', 'TunnelNotFound'],
])

function isUnreached(answer: PreviewAnswer): boolean {
  return !answer.ok && unreached.has(answer.error.code)
}

/**
 * Renders a step, again whenever the input stops changing or the bridge changes. The last result stays visible until
 * the next one arrives.
 *
 * @param step - The step.
 * @param input - The input; undefined while it is loading.
 */
export function usePreview(
  step: PreviewedStep,
  input: PreviewInput | undefined,
): UseQueryResult<PreviewAnswer, ApiFailure> {
  const { api, environment } = useSession()
  const { workflowId, stepId, version } = step
  const settled = useSettled(input)
  return useQuery<PreviewAnswer, ApiFailure>({
    queryKey: [environment.name, 'preview', workflowId, stepId, version, settled],
    queryFn: ({ signal }) =>
      api.send<PreviewAnswer>({ method: 'POST', path: `${pathOf(step)}/preview`, body: settled }, signal),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data && isUnreached(data) ? againMs : false),
  })
}

/**
 * Returns the path of a step's operations.
 *
 * @param step - The step.
 */
export function pathOf({ workflowId, stepId }: Omit<PreviewedStep, 'version'>): string {
  return `/v1/studio/workflows/${encodeURIComponent(workflowId)}/steps/${encodeURIComponent(stepId)}`
}

const none: readonly ValueIssue[] = []

/**
 * Returns the bridge's errors in the payload of a preview, by field.
 *
 * @param answer - The state of the preview.
 */
export function payloadIssuesOf(answer: PreviewAnswer | undefined): readonly ValueIssue[] {
  if (!answer || answer.ok || answer.error.code !== 'WorkflowPayloadInvalidError') return none
  const { data } = answer.error
  return Array.isArray(data) ? data.filter(isIssue) : none
}

function isIssue(value: unknown): value is ValueIssue {
  const { path, message } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ValueIssue>
  return typeof path === 'string' && typeof message === 'string'
}
