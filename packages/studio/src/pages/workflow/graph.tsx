import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Problem, StepManifest, WorkflowManifest } from '../../api/generated/resources.ts'
import { toPathName } from '../../ui/path-names.ts'
import { warningsOf } from '../../workflow/faults.tsx'
import { toEdges } from './graph-edges.ts'
import { layoutGraph, sizes } from './layout-graph.ts'
import { StepNode } from './step-node.tsx'
import style from './workflow.module.css'

/** The space next to the steps, which the edges around conditional steps need. */
const margin = 44

export interface WorkflowGraphProps {
  readonly workflow: WorkflowManifest
  /** The problems of the workflow. */
  readonly problems: readonly Problem[]
}

/** Draws the steps of a workflow in order, with links to their pages. */
export function WorkflowGraph({ workflow, problems }: WorkflowGraphProps): ReactNode {
  const host = useRef<HTMLElement>(null)
  const available = useWidth(host)
  const { steps } = workflow
  const layout = useMemo(() => layoutGraph(steps, available - 2 * margin), [steps, available])
  const edges = useMemo(() => toEdges(layout), [layout])
  const size = { width: layout.width + 2 * margin, height: layout.height }
  useLayoutEffect(() => {
    // If the graph is wider than its container, it is scrolled to its center.
    if (host.current && size.width > available) host.current.scrollLeft = (size.width - available) / 2
  }, [size.width, available])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section ref={host} className={style['scroll']} aria-label="Steps in order" tabIndex={0}>
      <div className={style['graph']} style={size}>
        <svg className={style['lines']} viewBox={`${-margin} 0 ${size.width} ${size.height}`} aria-hidden>
          {edges.map(({ path, isBypass }) => (
            <path key={path} d={path} className={isBypass ? style['bypass'] : undefined} />
          ))}
        </svg>
        <End top={sizes.top} text="Trigger" />
        {layout.steps.map(({ step, x, y }) => (
          <StepNode
            key={step.stepId}
            step={step}
            to={`/workflows/${toPathName(workflow.workflowId)}/steps/${toPathName(step.stepId)}`}
            faults={faultsOf(step, { workflow, problems })}
            place={{ left: x + margin, top: y, width: layout.stepWidth, height: sizes.height }}
          />
        ))}
        {edges.map(
          ({ label }) =>
            label && (
              <span key={label.y} className={style['label']} style={{ left: label.x + margin, top: label.y }}>
                else
              </span>
            ),
        )}
        <End top={layout.endY} text="End" />
      </div>
    </section>
  )
}

/** The start or end of a workflow. */
function End({ top, text }: { readonly top: number; readonly text: string }): ReactNode {
  return (
    <span className={style['end']} style={{ top }}>
      {text}
    </span>
  )
}

function faultsOf({ stepId }: StepManifest, { workflow, problems }: WorkflowGraphProps): 'bad' | 'warn' | undefined {
  if (problems.some((problem) => problem.stepId === stepId)) return 'bad'
  return warningsOf(workflow).some((warning) => warning.stepId === stepId) ? 'warn' : undefined
}

/** Returns the width of an element, and follows its changes. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
