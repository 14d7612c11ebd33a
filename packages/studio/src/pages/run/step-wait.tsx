import { FastForward } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ownEntry } from '../../base/own-entry.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { formatDuration } from '../../ui/time-text.tsx'
import { type Awaited, SendEvent, type SendEventProps, toAwaited } from './send-event.tsx'
import style from './timeline.module.css'

const tickMs = 1000

/** Shows a step's remaining wait and the event that it waits for; can skip the wait and send the event. */
export function StepWait({ run, step }: SendEventProps): ReactNode {
  const nowMs = useNow()
  const skip = useSend(['/v1/studio/runs'])
  const onSkip = (): void =>
    skip.mutate(
      { method: 'POST', path: `/v1/studio/jobs/${step._id}/skip-wait` },
      { onError: (error) => toast("Couldn't skip the wait", { description: error.message, tone: 'bad' }) },
    )
  const dueMs = step.dueAt === null ? undefined : Date.parse(step.dueAt)
  const beganMs = Date.parse(step.calledAt ?? step.dueAt ?? '')
  const share = dueMs === undefined ? 0 : Math.min(1, Math.max(0, (nowMs - beganMs) / Math.max(1, dueMs - beganMs)))
  const isRetry = step.stage === 'retrying'
  const isEvent = step.type === 'wait_for_event' && !isRetry
  return (
    <div className={style['wait']}>
      <div className={style['waitText']}>
        {isEvent && <EventText {...toAwaited(step)} />}
        <p>{dueMs === undefined ? 'Waiting' : describe(dueMs - nowMs, isRetry ? 'retry' : step.type)}</p>
        <span className={style['bar']}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      {isEvent && <SendEvent run={run} step={step} />}
      <Button needs="edit" small icon={<FastForward size={14} />} busy={skip.isPending} onClick={onSkip}>
        {isRetry ? 'Retry now' : 'Skip the wait'}
      </Button>
    </div>
  )
}

/** The name of the event, and the fields that it must have. */
function EventText({ event, match }: Awaited): ReactNode {
  const fields = Object.entries(match ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return (
    <p>
      Waits for the event <strong>{event}</strong>
      {fields.length > 0 && ` with ${fields.join(', ')}`}
    </p>
  )
}

const labels: Readonly<Record<string, string>> = {
  digest: 'Collects events for another',
  wait_for_event: 'Times out in',
  retry: 'Failed. Retries in',
}

function describe(leftMs: number, type: string): string {
  return leftMs <= 0 ? 'Resuming…' : `${ownEntry(labels, type) ?? 'Resumes in'} ${formatDuration(leftMs)}`
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
