import { Play } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { StudioBridge, WholeRun } from '../../api/generated/resources.ts'
import { subscriberPaths } from '../../api/list-paths.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import type { ValueIssue } from '../../form/values/form-validator.ts'
import { sampleValue } from '../../form/values/sample-value.ts'
import { toTriggerBody } from '../../runs/run-call.ts'
import { useParameters } from '../../session/address.ts'
import { useBridge } from '../../session/bridge.ts'
import { useDraft } from '../../session/draft.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Button, ButtonLink, type ButtonProps } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallPanel } from './call-panel.tsx'
import { recipientOf, toOf } from './recipient.ts'
import { RecipientFields } from './recipient-fields.tsx'
import style from './trigger.module.css'

interface Triggered {
  readonly transactionId: string
  readonly status: string
  readonly error?: readonly string[]
}

/** Triggers a workflow, and shows the same call as curl and TypeScript. */
export function TriggerPage(): ReactNode {
  const bridge = useBridge()
  const [search] = useParameters()
  const runId = search.get('run')
  const run = useRead<WholeRun>(`/v1/studio/runs/${encodeURIComponent(runId ?? '')}`, { enabled: runId !== null })
  const isLoading = (!bridge.data && !bridge.error) || (runId !== null && run.isPending)
  return (
    <Page title="Trigger" lead="Start a workflow for a subscriber or a topic, as your app would." wide>
      {bridge.error && !bridge.data && <Failure error={bridge.error} onRetry={() => void bridge.refetch()} />}
      {run.error && <Failure error={run.error} title="Couldn't load the run to edit" />}
      {isLoading && (
        <Panel>
          <Skeleton rows={9} height={30} />
        </Panel>
      )}
      {bridge.data?.workflows.length === 0 && (
        <Panel>
          <Empty
            icon={<Play size={20} />}
            title="Nothing to trigger yet"
            action={<ButtonLink to="/">Connect a bridge</ButtonLink>}
          >
            Workflows appear here after your app's bridge is synced.
          </Empty>
        </Panel>
      )}
      {!isLoading && bridge.data && bridge.data.workflows.length > 0 && (
        <TriggerForm workflows={bridge.data.workflows} run={runId === null ? undefined : run.data} />
      )}
    </Page>
  )
}

interface TriggerFormProps extends Pick<StudioBridge, 'workflows'> {
  /** The run whose trigger is edited. */
  readonly run: WholeRun | undefined
}

function TriggerForm({ workflows, run }: TriggerFormProps): ReactNode {
  const [search, setSearch] = useParameters()
  const [, navigate] = useLocation()
  const send = useSend<Triggered>(['/v1/studio/runs', '/v1/notifications', ...subscriberPaths])
  const wanted = search.get('workflow') ?? run?.workflowId
  const workflow = workflows.find(({ workflowId }) => workflowId === wanted) ?? (run ? undefined : workflows[0])
  const workflowId = workflow?.workflowId ?? run?.workflowId ?? ''
  const schema = workflow?.payload?.schema
  const sample = useMemo(() => run?.payload ?? sampleValue(schema ?? {}), [schema, run])
  const [payload = sample, setPayload] = useDraft<unknown>(`${run?._id ?? workflowId}.payload`)
  const [issues, setIssues] = useState<readonly ValueIssue[]>([])
  const recipient = recipientOf(search, run)
  const choose = (changes: Changes): void => setSearch((before) => change(before, changes), { replace: true })
  const body = { ...(run && toTriggerBody(run)), name: workflowId, to: toOf(recipient), payload }
  const trigger = (): void =>
    send.mutate(
      // Only the service knows the secrets that are masked in the displayed run.
      run
        ? { method: 'POST', path: `/v1/studio/runs/${run._id}/repeat`, body: { payload, to: body.to } }
        : { method: 'POST', path: '/v1/events/trigger', body },
      { onSuccess: ({ transactionId }) => navigate(`/runs?transactionId=${encodeURIComponent(transactionId)}`) },
    )
  return (
    <div className={style['columns']}>
      <Panel title="What to send">
        <div className={style['fields']}>
          <SelectField
            label="Workflow"
            value={workflowId}
            options={toOptions(workflows, workflowId)}
            onChange={(id) => choose({ workflow: id, run: undefined })}
          />
          <RecipientFields
            recipient={recipient}
            onChange={({ kind, id }) => choose({ subscriber: undefined, topic: undefined, [kind]: id })}
          />
          <ValueEditor
            key={`${workflowId} ${run?._id}`}
            schema={schema}
            value={payload}
            onChange={setPayload}
            onIssues={setIssues}
            label="the payload"
            idPrefix="payload"
          >
            <h3 className={style['heading']}>Payload</h3>
          </ValueEditor>
          {send.error && <Failure error={send.error} title="Couldn't trigger the workflow" />}
          <TriggerButton
            busy={send.isPending}
            disabled={recipient.id.trim() === '' || issues.length > 0}
            tip={issues.length > 0 ? 'Fix the payload first, or edit it as JSON to send it anyway.' : undefined}
            onClick={trigger}
          />
        </div>
      </Panel>
      <CallPanel body={body} />
    </div>
  )
}

function TriggerButton(props: Pick<ButtonProps, 'busy' | 'disabled' | 'tip' | 'onClick'>): ReactNode {
  return (
    <div>
      <Button needs="edit" sends variant="primary" icon={<Play size={15} />} {...props}>
        Trigger
      </Button>
    </div>
  )
}

/** The selected workflow is listed even if the bridge does not have it, because it can be stored through the API. */
function toOptions(workflows: StudioBridge['workflows'], chosen: string): readonly { value: string; text: string }[] {
  const options = workflows.map(({ workflowId: id, name }) => ({ value: id, text: name ? `${name} (${id})` : id }))
  return options.some(({ value }) => value === chosen) ? options : [{ value: chosen, text: chosen }, ...options]
}

type Changes = Readonly<Record<string, string | undefined>>

function change(before: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}
