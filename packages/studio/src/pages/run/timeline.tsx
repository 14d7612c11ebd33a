import { CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RunDetail, WholeRun, WholeStep } from '../../api/generated/resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { HistoryList } from './step/history-list.tsx'
import style from './timeline.module.css'
import { TimelineStep } from './timeline-step.tsx'

export interface TimelineProps {
  readonly run: WholeRun
  /** The step whose details are shown. */
  readonly openStep: string | undefined
  /** Shows the details of a step. */
  onOpen(stepId: string): void
}

/** Shows the steps of a run in order, with parallel steps grouped. */
export function Timeline({ run, openStep, onOpen }: TimelineProps): ReactNode {
  const ownDetails = run.details.filter(({ _jobId }) => _jobId === null)
  const failure = ownDetails.findLast(({ status }) => status === 'Failed')
  return (
    <Panel title="Steps" aside={<Badge>{run.steps.length === 1 ? '1 step' : `${run.steps.length} steps`}</Badge>}>
      {failure && <RunFailure detail={failure} />}
      {run.steps.length === 0 && !failure && <NoSteps run={run} />}
      <ol className={style['timeline']} data-rows>
        {wavesOf(run.steps).map((steps) => (
          <li key={steps[0]?._id} className={style['wave']}>
            {steps.length > 1 && <p className={style['together']}>In parallel</p>}
            {steps.map((step) => (
              <TimelineStep key={step._id} run={run} step={step} openStep={openStep} onOpen={onOpen} />
            ))}
          </li>
        ))}
      </ol>
      {ownDetails.length > 0 && (
        <section className={style['own']}>
          <h3>Run events</h3>
          <HistoryList details={ownDetails} beganAt={run.createdAt} />
        </section>
      )}
    </Panel>
  )
}

/** Shows why a run failed outside its steps: the message from the bridge or the service. */
function RunFailure({ detail: { detail, raw } }: { readonly detail: RunDetail }): ReactNode {
  const { message, code } = (raw ?? {}) as { readonly message?: unknown; readonly code?: unknown }
  return (
    <Notice
      tone="bad"
      title={typeof message === 'string' ? message : detail}
      code={typeof code === 'string' ? code : undefined}
    />
  )
}

function NoSteps({ run: { finishedAt } }: { readonly run: WholeRun }): ReactNode {
  return finishedAt === null ? (
    <Empty icon={<CircleDashed size={20} />} title="No steps yet">
      Steps appear as the run reaches them.
    </Empty>
  ) : (
    <Empty icon={<CircleDashed size={20} />} title="This run reached no steps">
      Its workflow called no steps for this data. If it should have, check its conditions, then run it again.
    </Empty>
  )
}

function wavesOf(steps: readonly WholeStep[]): readonly (readonly WholeStep[])[] {
  const waves = new Map<number, WholeStep[]>()
  for (const step of steps) {
    const wave = waves.get(step.wave) ?? []
    wave.push(step)
    waves.set(step.wave, wave)
  }
  return [...waves.values()]
}
