import { type UseMutationResult, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { StepManifest } from '../../api/generated/resources.ts'
import type { JsonSchema } from '../../api/json-schema.ts'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import { useDraft } from '../../session/draft.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { useSettled } from '../../session/settled.ts'
import { toast } from '../../ui/overlay/toasts.tsx'
import { toSaved } from './history/control-changes.ts'
import { pathOf } from './use-preview.ts'

/** The controls of a step during editing. */
export interface Controls {
  /** The value in the form: the draft, else the saved values over the code defaults. */
  readonly value: Readonly<Record<string, unknown>>
  /** The draft; undefined if nothing was edited. */
  readonly draft: Readonly<Record<string, unknown>> | undefined
  /** Replaces the draft. */
  edit(value: unknown): void
  /** Discards the draft. */
  discard(): void
  /** The errors that would make the service reject the draft. */
  readonly issues: readonly ValueIssue[]
  /** The saved values, without the code defaults. */
  readonly stored: Readonly<Record<string, unknown>>
  /** The effective values: the saved values over the code defaults. */
  readonly saved: Readonly<Record<string, unknown>>
  /** The code defaults. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** The API path of the history of saved values. */
  readonly versionsPath: string
  /** Whether the saved values are loaded; before, all values are those of the code. */
  readonly isLoaded: boolean
  /** Why the saved values could not be loaded. */
  readonly failure: ApiFailure | null
  /** Loads the saved values again. */
  retry(): void
  /** Saves the draft, without code defaults that are not saved yet. */
  store(): void
  /** Removes the saved values, which restores the code defaults. */
  reset(): void
  /** The state of the last save. */
  readonly storing: UseMutationResult<unknown, ApiFailure, unknown>
}

type Values = Readonly<Record<string, unknown>>

const nothing: Values = {}
const noIssues: readonly ValueIssue[] = []

/**
 * Loads a step's controls, and validates the draft as the service would.
 *
 * @param workflowId - The workflow's id.
 * @param step - The step.
 */
export function useControls(workflowId: string, step: StepManifest): Controls {
  const { api, environment } = useSession()
  const { stepId } = step
  const path = `/v1/bridge/controls/${encodeURIComponent(workflowId)}/${encodeURIComponent(stepId)}`
  const stored = useRead<{ controls: Values }>(path)
  const [draft, setDraft] = useDraft<Values>(`${workflowId}.${stepId}.controls`)
  const versionsPath = `${pathOf({ workflowId, stepId })}/controls/versions`
  const send = useSend<{ readonly checked?: boolean }>([path, versionsPath, '/v1/studio/bridge'])
  const tried = useSettled(draft)
  const check = useQuery<{ issues: readonly ValueIssue[] }, ApiFailure>({
    queryKey: [environment.id, 'controls', workflowId, stepId, tried ?? {}],
    queryFn: ({ signal }) =>
      api.send(
        { method: 'POST', path: `${pathOf({ workflowId, stepId })}/controls/check`, body: { controls: tried } },
        signal,
      ),
    enabled: tried !== undefined,
  })
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const write = (variables: Values): void =>
    send.mutate(
      { method: 'PUT', path, body: { variables } },
      {
        onSuccess: ({ checked }) => {
          // Values that were edited in the meantime are not saved yet.
          if (latest.current === draft) setDraft(undefined)
          if (checked === false)
            toast('Saved without a test', { description: 'The bridge did not respond, so the values may be wrong.' })
        },
      },
    )
  const defaults = defaultsOf(step.controls?.schema)
  const saved = stored.data?.controls ?? nothing
  const inForce = { ...defaults, ...saved }
  return {
    value: draft ?? inForce,
    draft,
    edit: (value) =>
      setDraft(JSON.stringify(value) === JSON.stringify(inForce) ? undefined : ((value ?? {}) as Values)),
    discard: () => setDraft(undefined),
    issues: draft === undefined ? noIssues : (check.data?.issues ?? noIssues),
    stored: saved,
    saved: inForce,
    defaults,
    versionsPath,
    isLoaded: stored.data !== undefined,
    failure: stored.data === undefined ? stored.error : null,
    retry: () => void stored.refetch(),
    store: () => draft && write(toSaved(draft, { stored: saved, defaults })),
    reset: () => write({}),
    storing: send as UseMutationResult<unknown, ApiFailure, unknown>,
  }
}

function defaultsOf(schema: JsonSchema | undefined): Values {
  const properties = Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    properties.flatMap(([name, property]) => ('default' in property ? [[name, property['default']]] : [])),
  )
}
