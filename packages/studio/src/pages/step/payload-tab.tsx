import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import { Button } from '../../ui/button.tsx'

export interface PayloadTabProps {
  /** Schema of the payload. */
  readonly schema: JsonSchema | undefined
  readonly payload: unknown
  /** The sample that is used until the payload is edited. */
  readonly sample: unknown
  /** The bridge's errors in the payload. */
  readonly issues: readonly ValueIssue[]
  /** Replaces the payload; undefined restores the sample. */
  setPayload(payload: unknown): void
}

/** Edits the payload of the preview. */
export function PayloadTab({ schema, payload, sample, issues, setPayload }: PayloadTabProps): ReactNode {
  return (
    <ValueEditor
      schema={schema}
      value={payload}
      onChange={setPayload}
      label="the payload"
      idPrefix="payload"
      issues={issues}
    >
      <Button
        small
        variant="quiet"
        icon={<RotateCcw size={14} />}
        disabled={payload === sample}
        onClick={() => setPayload(undefined)}
      >
        Sample
      </Button>
    </ValueEditor>
  )
}
