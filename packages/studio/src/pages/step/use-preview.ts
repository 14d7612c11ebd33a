import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import type { Outputs } from '../../preview/outputs.ts'
import { useSession } from '../../session/session.tsx'

/** What a step is previewed with; what is left out is made up by the bridge. */
export interface PreviewInput {
  /** What the trigger would bring. */
  readonly payload?: unknown
  /**
   * Values of the step's controls, stored ones too: an answer is kept under its input, so nothing the service has stored may
   * decide it unseen.
   */
  readonly controls: unknown
  /** Stored values do not fill in. */
  readonly storedControls: false
  /** The recipient. */
  readonly subscriber?: unknown
  /** What earlier steps returned. */
  readonly state?: unknown
}

/** Something a person should know about how a step was rendered. */
export interface PreviewWarning {
  /** Stable code. */
  readonly code: string
  /** What it is, and what to do. */
  readonly message: string
}

/** Something that was taken out of a step's HTML. */
export interface Removal {
  /** The kind: `element`, `attribute` and the like. */
  readonly kind: string
  /** Its name. */
  readonly name: string
  /** Line of the HTML as it was returned, from 1. */
  readonly line: number
  /** Column in its line, from 1. */
  readonly column: number
}

/** Why a step could not be rendered. */
export interface PreviewError {
  /** Stable code, which has a page. */
  readonly code: string
  /** What is wrong. */
  readonly message: string
  /** Where: a place in a template, or a list of fields. */
  readonly data: unknown
  /** HTTP status of the bridge. */
  readonly status: number
}

/** A step that was rendered. */
export interface Rendered {
  /** Whether it was. */
  readonly ok: true
  /** What the step returned. */
  readonly outputs: Outputs
  /** Overrides by provider. */
  readonly providers: Outputs
  /** Whether it would be skipped. */
  readonly options: { readonly skip?: boolean }
  /** The mail with its layout and text part. */
  readonly message: Outputs | null
  /** What a person should know. */
  readonly warnings: readonly PreviewWarning[]
  /** What was taken out of its HTML. */
  readonly removed?: readonly Removal[]
  /** How long it took. */
  readonly durationMs: number
}

/** What came of a preview. */
export type PreviewAnswer = Rendered | { readonly ok: false; readonly error: PreviewError }

/** The step that is previewed. */
export interface PreviewedStep {
  /** Its workflow. */
  readonly workflowId: string
  /** The step. */
  readonly stepId: string
  /** What it depends on beside its input, as text; another text renders again. */
  readonly version: string
}

const settleMs = 200
const againMs = 3000
/** What goes away by itself when the app is started again. */
const unreached = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['BridgeEndpointNotFound', 'BridgeEndpointUnavailable', 'BridgeRequestTimeout', 'TunnelNotFound'],
])

function isUnreached(answer: PreviewAnswer): boolean {
  return !answer.ok && unreached.has(answer.error.code)
}

/**
 * Renders a step with some input, again whenever the input has settled or the bridge has changed. The last answer stays
 * until the next one is there.
 *
 * @param step - The step.
 * @param input - What it is rendered with; undefined while that is being read.
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

/**
 * Returns a value once it has not changed for a moment; the first that is not undefined at once.
 *
 * @param value - The value.
 */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value, which is new in each render
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settled === undefined ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const none: readonly ValueIssue[] = []

/**
 * Returns what the bridge found wrong with the payload of a preview, by field.
 *
 * @param answer - What came of the preview.
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
