import { Play, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Problem, WorkflowManifest } from '../../api/generated/resources.ts'
import { namesFields, SchemaTable } from '../../form/schema-table.tsx'
import { useBridge } from '../../session/bridge.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WorkflowGraph } from './graph.tsx'
import style from './workflow.module.css'
import { WorkflowFacts } from './workflow-facts.tsx'
import { WorkflowFaults } from './workflow-faults.tsx'

const trail = [{ to: '/workflows', text: 'Workflows' }]

/** Shows one workflow: its steps, its payload, and its problems. */
export function WorkflowPage(): ReactNode {
  const { workflowId = '' } = usePathNames<{ workflowId: string }>()
  const bridge = useBridge()
  const workflow = bridge.data?.workflows.find((candidate) => candidate.workflowId === workflowId)
  if (bridge.error && !bridge.data)
    return (
      <Page title={workflowId} trail={trail}>
        <Failure error={bridge.error} title="Couldn't load the workflows" onRetry={() => void bridge.refetch()} />
      </Page>
    )
  if (!bridge.data)
    return (
      <Page title={workflowId} trail={trail} wide>
        <Panel>
          <Skeleton rows={12} height={24} />
        </Panel>
      </Page>
    )
  if (!workflow)
    return (
      <Page title={workflowId} trail={trail}>
        <Panel>
          <Empty icon={<SearchX size={20} />} title={`Workflow “${workflowId}” not found`}>
            It may have been renamed or removed in the code since this page was opened.
          </Empty>
        </Panel>
      </Page>
    )
  return (
    <Shown workflow={workflow} problems={bridge.data.problems.filter((problem) => problem.workflowId === workflowId)} />
  )
}

interface ShownProps {
  readonly workflow: WorkflowManifest
  readonly problems: readonly Problem[]
}

function Shown({ workflow, problems }: ShownProps): ReactNode {
  const { workflowId, name = workflowId, description, tags = [], severity = 'none', payload } = workflow
  const schema = payload?.schema
  const badges = (
    <>
      {workflow.isStored && <Badge tone="accent">Stored through the API</Badge>}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {severity !== 'none' && <Badge tone={severity === 'high' ? 'warn' : 'neutral'}>{severity} severity</Badge>}
    </>
  )
  const trigger = (
    <ButtonLink variant="primary" to={`/trigger?workflow=${encodeURIComponent(workflowId)}`} icon={<Play size={15} />}>
      Trigger
    </ButtonLink>
  )
  return (
    <Page title={name} trail={trail} aside={badges} lead={description} actions={trigger} wide>
      <WorkflowFaults workflow={workflow} problems={problems} />
      <div className={style['columns']}>
        <Panel title="Steps" aside={<Badge>{workflow.steps.length}</Badge>} flush>
          <WorkflowGraph workflow={workflow} problems={problems} />
        </Panel>
        <div className={style['side']}>
          <WorkflowFacts workflow={workflow} />
          <Panel title="Payload" flush={namesFields(schema)}>
            {namesFields(schema) ? (
              <SchemaTable schema={schema} label="Fields of the payload" />
            ) : (
              <p className={style['hint']}>
                The payload has no schema, so anything is accepted. A <code>payloadSchema</code> types it, validates it
                and creates a form for it here.
              </p>
            )}
          </Panel>
          {schema && namesFields(schema) && (
            <details className={style['details']}>
              <summary>JSON Schema of the payload</summary>
              <JsonBlock value={schema} label="the JSON Schema of the payload" />
            </details>
          )}
        </div>
      </div>
    </Page>
  )
}
