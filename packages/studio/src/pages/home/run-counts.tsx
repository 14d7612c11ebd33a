import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { RunCounts } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { textOf } from '../../runs/run-status.tsx'
import { useRead } from '../../session/queries.ts'
import { Panel } from '../../ui/panel.tsx'
import style from './home.module.css'

const dayMs = 24 * 60 * 60 * 1000
const minuteMs = 60_000
const statuses = ['running', 'completed', 'warning', 'failed'] as const
const tones: Readonly<Record<string, string>> = { warning: 'warn', failed: 'bad' }

/** Shows how the runs of the last 24 hours ended, with links to them. */
export function RunCountsPanel(): ReactNode {
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  const createdAfter = new Date(nowMs - dayMs).toISOString()
  const { data } = useRead<RunCounts>('/v1/studio/run-counts', { query: { createdAfter }, keep: true })
  return (
    <Panel title="Runs in the last 24 hours" flush>
      <dl className={style['figures']}>
        {statuses.map((status) => (
          <div key={status}>
            <dt>{textOf(status)}</dt>
            <dd data-tone={data && data[status] > 0 ? ownEntry(tones, status) : undefined}>
              <Link to={`/runs?range=24h&status=${status}`}>{data ? data[status].toLocaleString('en') : '–'}</Link>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
