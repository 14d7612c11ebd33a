import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import { Button } from '../../ui/button.tsx'

/** What the tab of the payload is given. */
export interface PayloadTabProps {
  /** Schema of the payload. */
  readonly schema: JsonSchema | undefined
  /** The payload. */
  readonly payload: unknown
  /** What it is as long as nobody edits it. */
  readonly sample: unknown
  /** What the bridge found wrong with it. */
  readonly issues: readonly ValueIssue[]
  /** Replaces the payload; undefined shows the sample again. */
  setPayload(payload: unknown): void
}

/** Edits what a trigger would bring. */
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
