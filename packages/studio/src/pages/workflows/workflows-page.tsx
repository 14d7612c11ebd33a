import { RefreshCw, Search, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StudioBridge, WorkflowManifest } from '../../api/generated/resources.ts'
import { useParameters } from '../../session/address.ts'
import { useBridge, useSync } from '../../session/bridge.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import { countFaults, FaultBadges } from '../../workflow/faults.tsx'
import style from './workflows.module.css'

/** Lists the bridge's workflows, filtered by words and tags. */
export function WorkflowsPage(): ReactNode {
  const bridge = useBridge()
  const sync = useSync()
  const [search, setSearch] = useParameters()
  const words = search.get('q') ?? ''
  const tag = search.get('tag') ?? ''
  const workflows = bridge.data?.workflows ?? []
  const tags = [...new Set(workflows.flatMap((workflow) => workflow.tags ?? []))].sort()
  const matchingWorkflows = workflows.filter(
    (workflow) => matches(workflow, words) && (tag === '' || workflow.tags?.includes(tag)),
  )
  const choose = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return (
    <Page
      title="Workflows"
      lead="Workflows of the bridge, and those stored through the API. Open a step to preview it."
      actions={
        <Button needs="administer" icon={<RefreshCw size={15} />} busy={sync.isPending} onClick={() => sync.mutate({})}>
          Sync
        </Button>
      }
    >
      {sync.error && <Failure error={sync.error} title="Couldn't sync the bridge" />}
      {bridge.error && !bridge.data && <Failure error={bridge.error} onRetry={() => void bridge.refetch()} />}
      {workflows.length > 0 && <Filters {...{ words, tag, tags, choose }} />}
      <Panel flush={matchingWorkflows.length > 0}>
        {!bridge.data && !bridge.error && <Skeleton rows={5} height={32} />}
        {bridge.data && <List state={bridge.data} matchingWorkflows={matchingWorkflows} />}
      </Panel>
    </Page>
  )
}

interface FiltersProps {
  readonly words: string
  readonly tag: string
  readonly tags: readonly string[]
  choose(name: string, value: string): void
}

function Filters({ words, tag, tags, choose }: FiltersProps): ReactNode {
  return (
    <div className={style['filters']}>
      <TextField
        label="Search workflows"
        hideLabel
        type="search"
        placeholder="Name, identifier or step"
        value={words}
        onChange={(value) => choose('q', value)}
        icon={<Search size={15} />}
      />
      <fieldset className={style['tags']}>
        <legend className="visually-hidden">Tags</legend>
        {tags.map((name) => (
          <Button
            key={name}
            small
            aria-pressed={name === tag}
            className={style['tag']}
            onClick={() => choose('tag', name === tag ? '' : name)}
          >
            {name}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

function List({
  state,
  matchingWorkflows,
}: {
  readonly state: StudioBridge
  readonly matchingWorkflows: readonly WorkflowManifest[]
}): ReactNode {
  if (state.workflows.length === 0)
    return (
      <Empty
        icon={<Workflow size={20} />}
        title="No workflows yet"
        action={<ButtonLink to="/">Connect a bridge</ButtonLink>}
      >
        Start your app, then connect its bridge. Every workflow that it serves appears here.
      </Empty>
    )
  if (matchingWorkflows.length === 0)
    return (
      <Empty
        icon={<Search size={20} />}
        title="No matching workflows"
        action={<ButtonLink to="/workflows">Show all</ButtonLink>}
      >
        Try fewer letters, or another tag.
      </Empty>
    )
  return (
    <Table
      label="Workflows"
      columns={columnsOf(state)}
      rows={matchingWorkflows}
      keyOf={({ workflowId }) => workflowId}
    />
  )
}

function columnsOf(state: StudioBridge): readonly Column<WorkflowManifest>[] {
  return [
    {
      key: 'name',
      title: 'Workflow',
      show: ({ workflowId, name }) => (
        <span className={style['name']}>
          <Link to={`/workflows/${toPathName(workflowId)}`}>{name ?? workflowId}</Link>
          <code>{workflowId}</code>
        </span>
      ),
    },
    { key: 'steps', title: 'Steps', wideOnly: true, show: ({ steps }) => <Steps steps={steps} /> },
    {
      key: 'tags',
      title: 'Tags',
      wideOnly: true,
      show: ({ tags = [], isStored }) => (
        <span className={style['row']}>
          {isStored && <Badge tone="accent">API</Badge>}
          {tags.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </span>
      ),
    },
    { key: 'faults', title: 'Status', show: (workflow) => <FaultBadges {...countFaults(workflow, state.problems)} /> },
  ]
}

const shownSteps = 7

function Steps({ steps }: Pick<WorkflowManifest, 'steps'>): ReactNode {
  return (
    <span className={style['row']}>
      {steps.slice(0, shownSteps).map(({ stepId, type }) => {
        const { icon: Icon, text } = stepKind(type)
        return (
          <span key={stepId} className={style['kind']} data-tip={`${stepId}: ${text}`}>
            <Icon size={14} role="img" aria-label={text} />
          </span>
        )
      })}
      {steps.length > shownSteps && <span>+{steps.length - shownSteps}</span>}
    </span>
  )
}

function matches({ workflowId, name = '', description = '', steps }: WorkflowManifest, words: string): boolean {
  const text = [workflowId, name, description, ...steps.map(({ stepId }) => stepId)].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
