import { messageTypes } from '@trestle/protocol'
import { type ReactNode, useState } from 'react'
import type { StepManifest, Translation } from '../../api/generated/resources.ts'
import { useBridge } from '../../session/bridge.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type EditedTexts, LayoutPreview } from '../layouts/layout-preview.tsx'
import { RenderedStep } from '../step/preview-panel.tsx'
import { sampleSubscriber } from '../step/subscriber-tab.tsx'
import { type PreviewedStep, usePreview } from '../step/use-preview.ts'
import style from './translations.module.css'

const sends: ReadonlySet<string> = new Set(messageTypes)

export interface TranslationPreviewProps {
  /** The workflow or layout. */
  readonly of: Pick<Translation, 'resourceType' | 'resourceId'>
  readonly texts: EditedTexts
}

/** Shows a message of a workflow, or a layout, with unsaved texts. */
export function TranslationPreview({ of: { resourceType, resourceId }, texts }: TranslationPreviewProps): ReactNode {
  if (resourceType === 'workflow') return <WorkflowPreview workflowId={resourceId} texts={texts} />
  return <LayoutPreview path={`/v2/layouts/${encodeURIComponent(resourceId)}`} layoutId={resourceId} texts={texts} />
}

interface WorkflowPreviewProps {
  readonly workflowId: string
  readonly texts: EditedTexts
}

function WorkflowPreview({ workflowId, texts }: WorkflowPreviewProps): ReactNode {
  const bridge = useBridge().data
  const workflow = bridge?.workflows.find((one) => one.workflowId === workflowId)
  const steps = workflow?.steps.filter(({ type }) => sends.has(type)) ?? []
  const [chosen, choose] = useState<string | undefined>(undefined)
  const step = steps.find(({ stepId }) => stepId === chosen) ?? steps[0]
  if (!step) return undefined
  const select = steps.length > 1 && (
    <SelectField
      label="Previewed step"
      hideLabel
      value={step.stepId}
      options={steps.map(({ stepId }) => ({ value: stepId, text: stepId }))}
      onChange={choose}
    />
  )
  return (
    <Panel title="Preview" actions={select}>
      <StepPreview
        key={step.stepId}
        previewed={{ workflowId, stepId: step.stepId, version: `${bridge?.lastSync?.at}` }}
        step={step}
        texts={texts}
      />
    </Panel>
  )
}

interface StepPreviewProps {
  readonly previewed: PreviewedStep
  readonly step: StepManifest
  readonly texts: EditedTexts
}

function StepPreview({ previewed, step, texts: { locale, content } }: StepPreviewProps): ReactNode {
  const input = { subscriber: sampleSubscriber, locale, translations: { [locale]: content } }
  const { data, error, isFetching, refetch } = usePreview(previewed, input)
  return (
    <div className={style['form']} aria-busy={isFetching} aria-live="polite">
      {error && <Failure title="Couldn't render the step" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} height={28} />}
      {data?.ok === false && <Notice tone="bad" title={data.error.message} code={data.error.code} />}
      {data?.ok && <RenderedStep step={step} rendered={data} />}
    </div>
  )
}
