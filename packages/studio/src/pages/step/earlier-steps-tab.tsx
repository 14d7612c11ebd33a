import type { ReactNode } from 'react'
import type { StepManifest } from '../../api/generated/resources.ts'
import { JsonEditor } from '../../editor/json-editor.tsx'
import { sampleValue } from '../../form/values/sample-value.ts'
import { Segments } from '../../ui/segments.tsx'
import style from './step.module.css'

export interface EarlierStepsTabProps {
  /** The preceding steps. */
  readonly steps: readonly StepManifest[]
  /** The results of the preceding steps; undefined lets the bridge use samples. */
  readonly state: unknown
  /** Replaces it. */
  onChange(state: unknown): void
}

/** Edits the results of earlier steps, to replace the bridge's samples. */
export function EarlierStepsTab({ steps, state, onChange }: EarlierStepsTabProps): ReactNode {
  const own = state !== undefined
  const samples = (): unknown =>
    steps.map(({ stepId, results }) => ({ stepId, outputs: sampleValue(results?.schema ?? { type: 'object' }) }))
  return (
    <div className={style['tab']}>
      <Segments<'samples' | 'own'>
        label="Results of earlier steps"
        value={own ? 'own' : 'samples'}
        onChange={(chosen) => onChange(chosen === 'own' ? samples() : undefined)}
        options={[
          { value: 'samples', text: 'Samples' },
          { value: 'own', text: 'Custom' },
        ]}
      />
      {own ? (
        <JsonEditor value={state} onChange={onChange} label="the results of earlier steps" minRows={12} />
      ) : (
        <p className={style['hint']}>
          The bridge generates results of {steps.map(({ stepId }) => stepId).join(', ')} that match their schemas.
          Choose “Custom” to try others.
        </p>
      )}
    </div>
  )
}
