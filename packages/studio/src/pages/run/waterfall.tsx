import type { ReactNode } from 'react'
import type { WholeRun } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { Panel } from '../../ui/panel.tsx'
import { StepIcon } from '../../ui/steps/step-kind.tsx'
import { formatDuration } from '../../ui/time-text.tsx'
import { StepRow } from './step-row.tsx'
import { UnreachedSteps } from './unreached-steps.tsx'
import style from './waterfall.module.css'
import { type Scale, type Span, type SpanKind, type StepSpans, toScale, toSpans } from './waterfall-spans.ts'

const names: Readonly<Record<SpanKind, string>> = {
  queue: 'Queued',
  call: 'Bridge call',
  send: 'Sending',
  wait: 'Waiting',
  retry: 'Waiting to retry',
}

export interface WaterfallProps {
  readonly run: WholeRun
  /** The step whose details are shown. */
  readonly openStep: string | undefined
  /** Shows the details of a step. */
  onOpen(stepId: string): void
}

/** Draws the steps of a run on a time axis, including steps it has not reached. */
export function Waterfall({ run, openStep, onOpen }: WaterfallProps): ReactNode {
  const steps = toSpans(run, Date.parse(run.updatedAt))
  const scale = toScale(steps)
  const kinds = new Set(steps.flatMap(({ spans }) => spans.map(({ kind }) => kind)))
  if (kinds.size === 0 && (run.finishedAt === null || run.unreached.length === 0)) return undefined
  return (
    <Panel title="Waterfall" aside={<Legend kinds={kinds} />}>
      <ol className={style['rows']} data-rows>
        {steps.map((one) => (
          <li key={one.step._id}>
            <StepRow stepId={one.step.stepId} openStep={openStep} onOpen={onOpen} className={style['row']}>
              <span className={style['name']}>
                <StepIcon type={one.step.type} size={14} />
                <span>{one.step.stepId}</span>
              </span>
              <Bars steps={one} scale={scale} />
              <span className={style['took']}>{one.step.reusedFrom === null ? tookOf(one) : 'copied'}</span>
            </StepRow>
          </li>
        ))}
        <UnreachedSteps run={run} />
      </ol>
      {kinds.size > 0 && <Axis scale={scale} steps={steps} />}
    </Panel>
  )
}

function Bars({ steps: { spans }, scale }: { readonly steps: StepSpans; readonly scale: Scale }): ReactNode {
  return (
    <span className={style['track']}>
      {spans.map((span) => {
        const left = scale.place(span.startMs)
        return (
          <span
            key={`${span.kind} ${span.startMs}`}
            className={`${style['bar']} ${ownEntry(style, span.kind)}`}
            data-bad={span.isBad || undefined}
            data-tip={textOf(span)}
            style={{ left: `${left * 100}%`, width: `${(scale.place(span.endMs) - left) * 100}%` }}
          />
        )
      })}
      <span className="visually-hidden">{spans.map(textOf).join(', ')}</span>
    </span>
  )
}

const textOf = ({ kind, startMs, endMs, isBad }: Span): string =>
  `${names[kind]} ${formatDuration(endMs - startMs)}${isBad ? ', failed' : ''}`

function tookOf({ spans }: StepSpans): string | undefined {
  const [first, last] = [spans[0], spans.at(-1)]
  return first && last && formatDuration(last.endMs - first.startMs)
}

function Legend({ kinds }: { readonly kinds: ReadonlySet<SpanKind> }): ReactNode {
  return (
    <span className={style['legend']}>
      {(['queue', 'call', 'retry', 'send', 'wait'] as const)
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <span key={kind}>
            <span className={`${style['swatch']} ${ownEntry(style, kind)}`} aria-hidden /> {names[kind]}
          </span>
        ))}
    </span>
  )
}

/** Its text would cover that of the axis or of the previous cut. */
function hasSpace({ at }: Scale['cuts'][number], index: number, cuts: Scale['cuts']): boolean {
  return at > 0.2 && at < 0.75 && at - (cuts[index - 1]?.at ?? 0) > 0.25
}

function Axis({ scale: { cuts }, steps }: { readonly scale: Scale; readonly steps: readonly StepSpans[] }): ReactNode {
  const spans = steps.flatMap((one) => one.spans)
  const [startMs, endMs] = [
    Math.min(...spans.map((span) => span.startMs)),
    Math.max(...spans.map((span) => span.endMs)),
  ]
  return (
    <p className={style['axis']} aria-hidden>
      <span>0</span>
      {cuts.filter(hasSpace).map(({ at, ms }) => (
        <span key={at} className={style['cut']} style={{ left: `${at * 100}%` }}>
          ⋯ {formatDuration(ms)} ⋯
        </span>
      ))}
      <span>{formatDuration(endMs - startMs)}</span>
    </p>
  )
}
