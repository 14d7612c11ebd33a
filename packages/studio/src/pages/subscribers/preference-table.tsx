import { type MessageType, messageTypes } from '@trestle/protocol'
import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Preferences } from '../../api/generated/resources.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Empty } from '../../ui/empty.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './preferences.module.css'

/** Shows and changes a subscriber's preferences, global and per workflow. */
export function PreferenceTable({ subscriberId }: { readonly subscriberId: string }): ReactNode {
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`
  const read = useRead<Preferences>(path)
  const critical = useRead<Preferences>(path, { query: { criticality: 'critical' } })
  const send = useSend([path])
  const change: Change = (workflowId, channel, wanted) =>
    send.mutate(
      {
        method: 'PATCH',
        path,
        body: { channels: { [channel]: wanted }, ...(workflowId !== undefined && { workflowId }) },
      },
      { onError: (error) => toast("Couldn't change the preference", { description: error.message, tone: 'bad' }) },
    )
  const error = read.error ?? critical.error
  const retry = (): void => {
    void read.refetch()
    void critical.refetch()
  }
  if (!read.data || !critical.data)
    return error ? (
      <Failure title="Couldn't load the preferences" error={error} onRetry={retry} />
    ) : (
      <Skeleton rows={6} height={28} />
    )
  if (read.data.workflows.length + critical.data.workflows.length === 0)
    return (
      <Empty icon={<SlidersHorizontal size={20} />} title="No workflows">
        Sync a bridge to turn its workflows on and off here.
      </Empty>
    )
  return <LoadedTable preferences={read.data} critical={critical.data.workflows} onChange={change} />
}

/** Receives a changed preference: for one workflow, or for all. */
type Change = (workflowId: string | undefined, channel: MessageType, wanted: boolean) => void

interface LoadedTableProps {
  readonly preferences: Preferences
  readonly critical: Preferences['workflows']
  readonly onChange: Change
}

function LoadedTable({ preferences: { global, workflows }, critical, onChange }: LoadedTableProps): ReactNode {
  const channels = messageTypes.filter((name) => [...workflows, ...critical].some((row) => name in row.channels))
  return (
    <section className={style['scroll']} aria-label="Preferences">
      <table className={style['table']}>
        <thead>
          <tr>
            <th scope="col">Workflow</th>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                {stepKind(channel).text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row
            channels={channels}
            name="All workflows"
            isOn={(channel) => global.channels[channel] ?? global.enabled}
            onChange={(channel, wanted) => onChange(undefined, channel, wanted)}
          />
          {[...workflows, ...critical].map((row) => (
            <Row
              key={row.workflow.identifier}
              channels={channels}
              name={row.workflow.name}
              workflowId={row.workflow.identifier}
              isOn={(channel) => row.channels[channel]}
              {...(!critical.includes(row) && {
                onChange: (channel: MessageType, wanted: boolean) => onChange(row.workflow.identifier, channel, wanted),
              })}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly channels: readonly MessageType[]
  readonly name: string
  readonly workflowId?: string
  /** Whether a channel is enabled; undefined if the workflow does not use it. */
  isOn(channel: MessageType): boolean | undefined
  /** Changes the preference; absent if it cannot be changed. */
  readonly onChange?: (channel: MessageType, wanted: boolean) => void
}

function Row({ channels, name, workflowId, isOn, onChange }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        {workflowId === undefined ? name : <Link to={`/workflows/${toPathName(workflowId)}`}>{name}</Link>}
        {!onChange && <span className={style['critical']}>Critical: cannot be turned off</span>}
      </th>
      {channels.map((channel) => {
        const checked = isOn(channel)
        return (
          <td key={channel}>
            {checked === undefined ? (
              <span className={style['none']}>
                <span aria-hidden>–</span>
                <span className="visually-hidden">Not used</span>
              </span>
            ) : (
              <Switch
                needs="edit"
                label={`${name}: ${stepKind(channel).text}`}
                checked={checked}
                disabled={!onChange}
                onChange={(wanted) => onChange?.(channel, wanted)}
              />
            )}
          </td>
        )
      })}
    </tr>
  )
}
