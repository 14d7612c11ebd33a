import { FastForward } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { WholeStep } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { formatDuration } from '../../ui/time-text.tsx'
import style from './timeline.module.css'

const tickMs = 1000

/** Shows the remaining wait of a step, and can skip it. */
export function StepWait({ step }: { readonly step: WholeStep }): ReactNode {
  const nowMs = useNow()
  const skip = useSend(['/v1/studio/runs'])
  const onSkip = (): void =>
    skip.mutate(
      { method: 'POST', path: `/v1/studio/jobs/${step._id}/skip-wait` },
      { onError: (error) => toast('Couldn’t skip the wait', { description: error.message, tone: 'bad' }) },
    )
  const dueMs = step.dueAt === null ? undefined : Date.parse(step.dueAt)
  const beganMs = Date.parse(step.calledAt ?? step.dueAt ?? '')
  const share = dueMs === undefined ? 0 : Math.min(1, Math.max(0, (nowMs - beganMs) / Math.max(1, dueMs - beganMs)))
  return (
    <div className={style['wait']}>
      <div className={style['waitText']}>
        <p>{dueMs === undefined ? 'Waiting' : describe(dueMs - nowMs, step.type)}</p>
        <span className={style['bar']}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      <Button small icon={<FastForward size={14} />} busy={skip.isPending} onClick={onSkip}>
        Skip the wait
      </Button>
    </div>
  )
}

function describe(leftMs: number, type: string): string {
  if (leftMs <= 0) return 'Resuming…'
  return `${type === 'digest' ? 'Collects events for another' : 'Resumes in'} ${formatDuration(leftMs)}`
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
