import type { ReactNode } from 'react'
import type { OutboxItem, WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import type { CursorPage } from '../../../api/page.ts'
import { ownEntry } from '../../../base/own-entry.ts'
import { useRead } from '../../../session/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock, JsonBlock } from '../../../ui/data/code-block.tsx'
import { toPathName } from '../../../ui/path-names.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { StepRuns } from '../family/step-runs.tsx'
import { CallView } from './call-view.tsx'
import { HistoryList } from './history-list.tsx'
import { RepeatFromStep } from './repeat-from-step.tsx'
import style from './step-body.module.css'
import { StepCause } from './step-cause.tsx'

export interface StepBodyProps {
  readonly run: WholeRun
  readonly step: WholeStep
}

export interface StepTabsProps extends StepBodyProps {
  /** The selected tab. */
  readonly tab: string
  /** Selects a tab. */
  onTab(tab: string): void
}

/** The most merged runs that the service lists. */
const maxMerged = 200

/** The first tab of a step. */
export const firstTab = 'outputs'

/** Shows the outputs, bridge calls and history of a step in tabs. */
export function StepBody({ run, step, tab, onTab }: StepTabsProps): ReactNode {
  const calls = run.calls.filter(({ _jobId }) => _jobId === step._id)
  const details = run.details.filter(({ _jobId }) => _jobId === step._id)
  return (
    <Tabs
      label={`Step ${step.stepId}`}
      value={tab}
      onChange={onTab}
      tabs={[
        { key: firstTab, text: 'Outcome', content: <Outcome run={run} step={step} /> },
        {
          key: 'calls',
          text: calls.length > 1 ? `Bridge calls (${calls.length})` : 'Bridge call',
          content: <Calls calls={calls} />,
        },
        { key: 'history', text: 'History', content: <HistoryList details={details} beganAt={run.createdAt} /> },
      ]}
    />
  )
}

function Outcome({ run, step }: StepBodyProps): ReactNode {
  const { outputs, result, error } = step
  const hasResult = result !== null && Object.keys(result).length > 0
  return (
    <div className={style['stack']}>
      <StepCause run={run} step={step} />
      {step.type === 'digest' && <StepRuns run={run} step={step} max={maxMerged} />}
      <RepeatFromStep run={run} step={step} />
      <MessageLinks run={run} step={step} />
      <Reports run={run} step={step} />
      {outputs === null && !error && (
        <p className={style['quiet']}>{step.reason ? 'This step has no output.' : 'The step has not started yet.'}</p>
      )}
      {outputs !== null && (
        <Labelled title="Output">
          <JsonBlock value={outputs} label={`what ${step.stepId} returned`} />
        </Labelled>
      )}
      {hasResult && (
        <Labelled title="Result, available to later steps">
          <JsonBlock value={result} label={`what later steps see of ${step.stepId}`} />
        </Labelled>
      )}
      {error?.data != null && <ErrorData data={error.data} />}
    </div>
  )
}

/** A stack is shown line by line, not as a JSON string. */
function ErrorData({ data }: { readonly data: unknown }): ReactNode {
  const stack = typeof data === 'object' && data !== null && 'stack' in data ? data.stack : undefined
  return typeof stack === 'string' ? (
    <Labelled title="Stack trace">
      <CodeBlock text={stack} label="the stack" />
    </Labelled>
  ) : (
    <Labelled title="Error details">
      <JsonBlock value={data} label="the details of the error" />
    </Labelled>
  )
}

function MessageLinks({ run, step }: StepBodyProps): ReactNode {
  const ids = run.messages
    .filter(({ _jobId, status }) => _jobId === step._id && status === 'sent')
    .map(({ _id }) => _id)
  const isInApp = step.type === 'in_app'
  const { data } = useRead<CursorPage<OutboxItem>>('/v1/studio/outbox', {
    query: { transactionId: run.transactionId, channel: step.type, limit: 100 },
    enabled: ids.length > 0 && !isInApp,
  })
  if (ids.length === 0) return undefined
  if (isInApp)
    return (
      <div>
        <ButtonLink small to={`/subscribers/${toPathName(run.subscriberId)}`}>
          Open inbox
        </ButtonLink>
      </div>
    )
  const kept = data?.data.filter(({ _messageId }) => ids.includes(_messageId)) ?? []
  return kept.map(({ _id, recipient }) => (
    <div key={_id}>
      <ButtonLink small to={`/outbox/${_id}`}>
        Open in outbox{kept.length > 1 && ` (${recipient})`}
      </ButtonLink>
    </div>
  ))
}

const reportTexts: Readonly<Record<string, string>> = {
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Link clicked',
  bounced: 'Bounced',
  complained: 'Reported as spam',
}

/** Lists what providers have reported about the messages of a step. */
function Reports({ run, step }: StepBodyProps): ReactNode {
  const reports = run.messages.filter(({ _jobId }) => _jobId === step._id).flatMap(({ reports = [] }) => reports)
  if (reports.length === 0) return undefined
  return (
    <Labelled title="Reported by the provider">
      <ul className={style['reports']}>
        {reports.map(({ type, at, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reports are only added, and may be the same
          <li key={index}>
            {ownEntry(reportTexts, type) ?? type} <TimeText at={at} />
            {reason !== undefined && `: ${reason}`}
          </li>
        ))}
      </ul>
    </Labelled>
  )
}

function Calls({ calls }: { readonly calls: WholeRun['calls'] }): ReactNode {
  if (calls.length === 0) return <p className={style['quiet']}>The bridge was not called for this step.</p>
  return (
    <div className={style['stack']}>
      {calls.map((call, index) => (
        <CallView key={call._id} call={call} number={calls.length > 1 ? index + 1 : undefined} />
      ))}
    </div>
  )
}

function Labelled({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={style['labelled']}>
      <h3>{title}</h3>
      {children}
    </div>
  )
}
