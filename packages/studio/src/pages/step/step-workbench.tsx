import { type ReactNode, useMemo, useState } from 'react'
import type { Problem, StepManifest, WorkflowManifest } from '../../api/generated/resources.ts'
import { sampleValue } from '../../form/values/sample-value.ts'
import { toTemplateVariables } from '../../form/values/template-variables.ts'
import { useDraft } from '../../session/draft.ts'
import { Badge } from '../../ui/badge.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ControlsTab } from './controls-tab.tsx'
import { EarlierStepsTab } from './earlier-steps-tab.tsx'
import { PayloadTab } from './payload-tab.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import style from './step.module.css'
import { StepFaults } from './step-faults.tsx'
import { SubscriberTab, sampleSubscriber } from './subscriber-tab.tsx'
import { useControls } from './use-controls.ts'
import { type PreviewInput, payloadIssuesOf, usePreview } from './use-preview.ts'

export interface StepWorkbenchProps {
  /** The workflow that contains the step. */
  readonly workflow: WorkflowManifest
  readonly step: StepManifest
  /** When the bridge was last synced. */
  readonly syncedAt: string | undefined
  /** The problems of the step. */
  readonly problems: readonly Problem[]
}

/** Shows a step's input next to its output. */
export function StepWorkbench({ workflow, step, syncedAt, problems }: StepWorkbenchProps): ReactNode {
  const { workflowId } = workflow
  const [tab, setTab] = useState('payload')
  const schema = workflow.payload?.schema
  const sample = useMemo(() => sampleValue(schema ?? {}), [schema])
  const [payload = sample, setPayload] = useDraft<unknown>(`${workflowId}.payload`)
  const [subscriber = sampleSubscriber, setSubscriber] = useDraft<unknown>('subscriber')
  const [state, setState] = useDraft<unknown>(`${workflowId}.${step.stepId}.state`)
  const controls = useControls(workflowId, step)
  const earlier = useMemo(() => workflow.steps.slice(0, workflow.steps.indexOf(step)), [workflow, step])
  const input: PreviewInput = {
    payload,
    subscriber,
    ...(state !== undefined && { state }),
    controls: controls.draft ?? controls.stored,
    storedControls: false,
  }
  const previewed = { workflowId, stepId: step.stepId, version: `${syncedAt}` }
  const preview = usePreview(previewed, controls.isLoaded ? input : undefined)

  const issues = useMemo(() => payloadIssuesOf(preview.data), [preview.data])
  const payloadTab = {
    key: 'payload',
    text: 'Payload',
    content: <PayloadTab {...{ schema, payload, sample, issues, setPayload }} />,
  }
  const controlsText = controls.draft ? <>Controls {<Badge tone="accent">edited</Badge>}</> : 'Controls'
  const variables = useMemo(() => toTemplateVariables({ payload: schema, steps: earlier }), [schema, earlier])
  const content = <ControlsTab step={step} isStored={workflow.isStored} controls={controls} variables={variables} />
  const controlsTab = { key: 'controls', text: controlsText, content }
  const subscriberTab = {
    key: 'subscriber',
    text: 'Subscriber',
    content: <SubscriberTab subscriber={subscriber} onChange={setSubscriber} />,
  }
  const earlierTab = {
    key: 'state',
    text: 'Earlier steps',
    content: <EarlierStepsTab steps={earlier} state={state} onChange={setState} />,
  }
  return (
    <>
      <StepFaults workflow={workflow} step={step} problems={problems} />
      {controls.failure && (
        <Failure title="Couldn't load the saved controls" error={controls.failure} onRetry={controls.retry} />
      )}
      <div className={style['bench']}>
        <Panel flush>
          <Tabs
            label="Step input"
            value={tab}
            onChange={setTab}
            tabs={[payloadTab, controlsTab, subscriberTab, ...(earlier.length > 0 ? [earlierTab] : [])]}
          />
        </Panel>
        <PreviewPanel step={step} preview={preview} controls={controls.value} onOpen={setTab} />
      </div>
    </>
  )
}
