import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
   * The values of the step's controls, including saved ones: responses are cached by input, so it must include saved
   * values.
   */
  readonly controls?: unknown
  /** Whether the service merges saved values. @default true */
  readonly storedControls?: false
  /** The recipient. */
  readonly subscriber?: unknown
  /** The results of earlier steps. */
  readonly state?: unknown
  /** The language of the recipient. */
  readonly locale?: string
  /** Unsaved translations of the workflow, by language. */
  readonly translations?: Readonly<Record<string, unknown>>
}

/** A warning about the rendering of a step. */
export interface PreviewWarning {
  /** Stable code. */
  readonly code: string
  /** The warning text, including how to fix it. */
  readonly message: string
}

/** A part removed from a step's HTML. */
export interface Removal {
  /** The kind of removed part, such as `element` or `attribute`. */
  readonly kind: string
  readonly name: string
  /** The line in the returned HTML, starting at 1. */
  readonly line: number
  /** The column, starting at 1. */
  readonly column: number
}

/** Why a step could not be rendered. */
export interface PreviewError {
  /** The stable error code, which has a documentation page. */
  readonly code: string
  readonly message: string
  /** The location: a position in a template, or a list of fields. */
  readonly data: unknown
  /** HTTP status of the bridge's response. */
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
  /** Whether the step would be skipped. */
  readonly options: { readonly skip?: boolean }
  /** The email with its layout and text part. */
  readonly message: Outputs | null
  readonly warnings: readonly PreviewWarning[]
  /** The parts removed from the step's HTML. */
  readonly removed?: readonly Removal[]
  /** The duration, in milliseconds. */
  readonly durationMs: number
}

/** The state of a preview. */
export type PreviewAnswer = Rendered | { readonly ok: false; readonly error: PreviewError }

export interface PreviewedStep {
  readonly workflowId: string
  readonly stepId: string
  /** Changes when the step must be rendered again with the same input. */
  readonly version: string
}

const againMs = 3000
/** Errors that can disappear once the app has restarted. */
const unreached = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['BridgeEndpointNotFound', 'BridgeEndpointUnavailable', 'BridgeRequestTimeout', 'TunnelNotFound'],
])

function isUnreached(answer: PreviewAnswer): boolean {
  return !answer.ok && unreached.has(answer.error.code)
}

/**
 * Renders a step, and renders it again when the input settles, the bridge changes, or a page with it is opened. The
 * last result stays visible until the next one arrives.
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
  const [openedAt] = useState(Date.now)
  return useQuery<PreviewAnswer, ApiFailure>({
    queryKey: [environment.id, 'preview', workflowId, stepId, version, settled],
    queryFn: ({ signal }) =>
      api.send<PreviewAnswer>({ method: 'POST', path: `${pathOf(step)}/preview`, body: settled }, signal),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    // Results from before the page was opened may be outdated: layouts, translations and variables change on other
    // pages. Others are kept, because rendering can run code of the app.
    staleTime: ({ state: { dataUpdatedAt } }) => (dataUpdatedAt < openedAt ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state: { data } }) => (data && isUnreached(data) ? againMs : false),
  })
}

/**
 * Returns the API path of a step's operations.
 *
 * @param step - The step.
 */
export function pathOf({ workflowId, stepId }: Omit<PreviewedStep, 'version'>): string {
  return `/v1/studio/workflows/${encodeURIComponent(workflowId)}/steps/${encodeURIComponent(stepId)}`
}

const none: readonly ValueIssue[] = []

/**
 * Returns the bridge's errors in a preview payload, by field.
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
