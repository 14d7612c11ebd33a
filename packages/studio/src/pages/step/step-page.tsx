import { Play, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StepManifest, WorkflowManifest } from '../../api/generated/resources.ts'
import { useBridge } from '../../session/bridge.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import { StepWorkbench } from './step-workbench.tsx'

/** Shows one step: its input, and its output as the recipient would see it. */
export function StepPage(): ReactNode {
  const { workflowId = '', stepId = '' } = usePathNames<{ workflowId: string; stepId: string }>()
  const bridge = useBridge()
  const workflow = bridge.data?.workflows.find((candidate) => candidate.workflowId === workflowId)
  const step = workflow?.steps.find((candidate) => candidate.stepId === stepId)
  const trail = [
    { to: '/workflows', text: 'Workflows' },
    { to: `/workflows/${toPathName(workflowId)}`, text: workflow?.name ?? workflowId },
  ]
  if (bridge.error && !bridge.data)
    return (
      <Page title={stepId} trail={trail}>
        <Failure error={bridge.error} title="Couldn't load the workflows" onRetry={() => void bridge.refetch()} />
      </Page>
    )
  if (!bridge.data)
    return (
      <Page title={stepId} trail={trail} wide>
        <Panel>
          <Skeleton rows={14} height={24} />
        </Panel>
      </Page>
    )
  if (!workflow || !step)
    return (
      <Page title={stepId} trail={trail}>
        <Panel>
          <Empty icon={<SearchX size={20} />} title={`Step “${stepId}” not found in “${workflowId}”`}>
            It may have been renamed or removed in the code since this page was opened.
          </Empty>
        </Panel>
      </Page>
    )
  return (
    <Page
      title={stepId}
      trail={trail}
      aside={<StepBadges step={step} />}
      actions={<TriggerLink workflow={workflow} />}
      wide
    >
      <StepWorkbench
        key={`${workflowId}/${stepId}`}
        workflow={workflow}
        step={step}
        syncedAt={bridge.data.lastSync?.at ?? undefined}
        problems={bridge.data.problems.filter(
          (problem) => problem.workflowId === workflowId && problem.stepId === stepId,
        )}
      />
    </Page>
  )
}

function StepBadges({ step }: { readonly step: StepManifest }): ReactNode {
  const { text, icon: Icon } = stepKind(step.type)
  return (
    <>
      <Badge icon={<Icon size={12} aria-hidden />}>{text}</Badge>
      {step.conditional && <Badge tone="accent">conditional</Badge>}
    </>
  )
}

function TriggerLink({ workflow }: { readonly workflow: WorkflowManifest }): ReactNode {
  return (
    <ButtonLink to={`/trigger?workflow=${encodeURIComponent(workflow.workflowId)}`} icon={<Play size={15} />}>
      Trigger
    </ButtonLink>
  )
}
