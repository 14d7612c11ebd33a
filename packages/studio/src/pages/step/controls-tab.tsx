import { RotateCcw, Save } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StepManifest } from '../../api/generated/resources.ts'
import type { TemplateVariable } from '../../editor/template-completion.ts'
import { namesFields } from '../../form/schema-table.tsx'
import { ValueEditor } from '../../form/value-editor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ControlsHistory } from './history/controls-history.tsx'
import style from './step.module.css'
import type { Controls } from './use-controls.ts'

export interface ControlsTabProps {
  readonly step: StepManifest
  /**
   * Whether its workflow is stored through the API: its controls are then its content, even if the schema says
   * otherwise.
   */
  readonly isStored: boolean
  readonly controls: Controls
  /** The variables that the templates can print. */
  readonly variables: readonly TemplateVariable[]
}

/** Edits and saves the values that can be changed without changing code. */
export function ControlsTab({ step, isStored: isContent, controls, variables }: ControlsTabProps): ReactNode {
  const schema = step.controls?.schema
  const { draft, issues, storing } = controls
  const isStored = Object.keys(controls.stored).length > 0
  if (!namesFields(schema) && !isContent)
    return (
      <p className={style['hint']}>
        This step has no controls. Give it a <code>controlSchema</code> with the texts that may be changed without a
        deployment, and they appear here.
      </p>
    )
  if (!controls.isLoaded) return controls.failure === null && <Skeleton rows={6} height={28} />
  return (
    <div className={style['tab']}>
      <ValueEditor
        schema={schema}
        value={controls.value}
        onChange={controls.edit}
        label="the controls"
        idPrefix="controls"
        issues={issues}
        templates
        variables={variables}
      >
        <Badge dot tone={draft ? 'accent' : 'neutral'}>
          {draft ? 'Not saved' : isStored || isContent ? 'Saved' : 'Code defaults'}
        </Badge>
      </ValueEditor>
      {storing.error && <Failure error={storing.error} title="Couldn't save the values" />}
      <div className={style['actions']}>
        <Button
          needs="edit"
          sends
          icon={<Save size={15} />}
          disabled={!draft || issues.length > 0}
          busy={storing.isPending}
          onClick={controls.store}
        >
          Save
        </Button>
        {draft && (
          <Button variant="quiet" onClick={controls.discard}>
            Discard
          </Button>
        )}
        {!draft && isStored && !isContent && (
          <Button needs="edit" variant="quiet" icon={<RotateCcw size={15} />} onClick={controls.reset}>
            Reset to code defaults
          </Button>
        )}
        <ControlsHistory
          path={controls.versionsPath}
          saved={controls.saved}
          defaults={controls.defaults}
          onRestore={controls.edit}
        />
      </div>
    </div>
  )
}
