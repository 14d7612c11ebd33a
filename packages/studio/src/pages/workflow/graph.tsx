import { type Edge, type EdgeTypes, type Node, type NodeTypes, ReactFlow } from '@xyflow/react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import '@xyflow/react/dist/base.css'
import type { Problem, WorkflowManifest } from '../../api/generated/resources.ts'
import { toPathName } from '../../ui/path-names.ts'
import { warningsOf } from '../../workflow/faults.tsx'
import { BypassEdge } from './bypass-edge.tsx'
import { type GraphLayout, layoutGraph, sizes } from './layout-graph.ts'
import { EndNode, StepNode } from './step-node.tsx'
import style from './workflow.module.css'

const nodeTypes: NodeTypes = { step: StepNode, end: EndNode }
const edgeTypes: EdgeTypes = { bypass: BypassEdge }
const margin = 24

export interface WorkflowGraphProps {
  /** The workflow. */
  readonly workflow: WorkflowManifest
  /** The problems of the workflow. */
  readonly problems: readonly Problem[]
}

/** Draws the steps of a workflow in order, with links to their pages. */
export function WorkflowGraph({ workflow, problems }: WorkflowGraphProps): ReactNode {
  const layout = useMemo(() => layoutGraph(workflow.steps), [workflow.steps])
  const nodes = useMemo(() => toNodes(layout, { workflow, problems }), [layout, workflow, problems])
  const edges = useMemo(() => toEdges(layout), [layout])
  const width = layout.width + 2 * margin
  const host = useRef<HTMLElement>(null)
  useEffect(() => {
    // If the graph is wider than its container, it is scrolled to its center.
    if (host.current) host.current.scrollLeft = (host.current.scrollWidth - host.current.clientWidth) / 2
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section ref={host} className={style['scroll']} aria-label="Steps in order" tabIndex={0}>
      <div className={style['graph']} style={{ height: layout.height, minWidth: width }}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          fitView
          fitViewOptions={{ minZoom: 1, maxZoom: 1 }}
          minZoom={1}
          maxZoom={1}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          panOnDrag={false}
          zoomOnScroll={false}
          zoomOnPinch={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          proOptions={{ hideAttribution: true }}
        />
      </div>
    </section>
  )
}

function toNodes({ steps, width, endY }: GraphLayout, { workflow, problems }: WorkflowGraphProps): Node[] {
  const warnings = warningsOf(workflow)
  const middle = { x: width / 2 - sizes.width / 2 }
  const ends = { draggable: false, type: 'end', width: sizes.width, height: sizes.end }
  const count = (faults: readonly { readonly stepId?: string }[], id: string): number =>
    faults.filter(({ stepId }) => stepId === id).length
  return [
    { id: 'start', position: { ...middle, y: sizes.top }, data: { text: 'Trigger' }, ...ends },
    ...steps.map(({ step, x, y }) => ({
      id: `step:${step.stepId}`,
      type: 'step',
      position: { x, y },
      width: sizes.width,
      height: sizes.height,
      data: {
        step,
        to: `/workflows/${toPathName(workflow.workflowId)}/steps/${toPathName(step.stepId)}`,
        problems: count(problems, step.stepId),
        warnings: count(warnings, step.stepId),
      },
    })),
    { id: 'end', position: { ...middle, y: endY }, data: { text: 'End' }, ...ends },
  ]
}

function toEdges({ lines }: GraphLayout): Edge[] {
  return lines.map(({ from, to, isBypass }) => ({
    id: `${from} ${to} ${isBypass}`,
    source: from,
    target: to,
    type: isBypass ? 'bypass' : 'smoothstep',
    className: (isBypass ? style['bypass'] : style['line']) ?? '',
  }))
}
