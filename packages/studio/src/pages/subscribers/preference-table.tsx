import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Preferences } from '../../api/subscribers.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Empty } from '../../ui/empty.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './preferences.module.css'

const allChannels = ['in_app', 'email', 'sms', 'push', 'chat', 'tool']

/** Shows what a recipient wants, of all workflows and of each, and changes it. */
export function PreferenceTable({ subscriberId }: { readonly subscriberId: string }): ReactNode {
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`
  const read = useRead<Preferences>(path)
  const critical = useRead<Preferences>(path, { query: { criticality: 'critical' } })
  const send = useSend([path])
  const change = (workflowId: string | undefined, channel: string, wanted: boolean): void =>
    send.mutate(
      {
        method: 'PATCH',
        path,
        body: { channels: { [channel]: wanted }, ...(workflowId !== undefined && { workflowId }) },
      },
      { onError: (error) => toast('The preference was not changed', { description: error.message, tone: 'bad' }) },
    )
  const error = read.error ?? critical.error
  if (error)
    return <Failure title="The preferences could not be read" error={error} onRetry={() => void read.refetch()} />
  if (!read.data || !critical.data) return <Skeleton rows={6} height={28} />
  const { global, workflows } = read.data
  const rows = [...workflows, ...critical.data.workflows]
  const channels = allChannels.filter((channel) => rows.some((row) => channel in row.channels))
  if (rows.length === 0)
    return (
      <Empty icon={<SlidersHorizontal size={20} />} title="There are no workflows to choose from">
        Sync a bridge; what its workflows send can be switched on and off here.
      </Empty>
    )
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
            onChange={(channel, wanted) => change(undefined, channel, wanted)}
          />
          {workflows.map(({ workflow, channels: wanted }) => (
            <Row
              key={workflow.identifier}
              channels={channels}
              name={workflow.name}
              workflowId={workflow.identifier}
              isOn={(channel) => wanted[channel]}
              onChange={(channel, isWanted) => change(workflow.identifier, channel, isWanted)}
            />
          ))}
          {critical.data.workflows.map(({ workflow, channels: wanted }) => (
            <Row
              key={workflow.identifier}
              channels={channels}
              name={workflow.name}
              workflowId={workflow.identifier}
              isOn={(channel) => wanted[channel]}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly channels: readonly string[]
  readonly name: string
  readonly workflowId?: string
  /** Whether a channel is wanted; undefined where the workflow does not use it. */
  isOn(channel: string): boolean | undefined
  /** Absent where nobody can change it. */
  readonly onChange?: (channel: string, wanted: boolean) => void
}

function Row({ channels, name, workflowId, isOn, onChange }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        {workflowId === undefined ? name : <Link to={`/workflows/${encodeURIComponent(workflowId)}`}>{name}</Link>}
        {!onChange && <span className={style['critical']}>Critical: cannot be switched off</span>}
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
