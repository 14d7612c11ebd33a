import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import type { ReactNode } from 'react'
import { sizes } from './layout-graph.ts'
import style from './workflow.module.css'

const out = 26
const corner = 10

/** Draws an edge around conditional steps. */
export function BypassEdge({ id, sourceX, sourceY, targetX, targetY }: EdgeProps): ReactNode {
  const side = Math.max(sourceX, targetX) + sizes.width / 2 + out
  const top = sourceY + sizes.gapY / 2 - corner / 2
  const bottom = targetY - sizes.gapY / 2 + corner / 2
  const path = [
    `M ${sourceX} ${sourceY} L ${sourceX} ${top - corner} Q ${sourceX} ${top} ${sourceX + corner} ${top}`,
    `L ${side - corner} ${top} Q ${side} ${top} ${side} ${top + corner}`,
    `L ${side} ${bottom - corner} Q ${side} ${bottom} ${side - corner} ${bottom}`,
    `L ${targetX + corner} ${bottom} Q ${targetX} ${bottom} ${targetX} ${bottom + corner} L ${targetX} ${targetY}`,
  ].join(' ')
  return (
    <>
      <BaseEdge id={id} path={path} />
      <EdgeLabelRenderer>
        <span
          className={style['label']}
          style={{ transform: `translate(-50%, -50%) translate(${side}px, ${(top + bottom) / 2}px)` }}
        >
          else
        </span>
      </EdgeLabelRenderer>
    </>
  )
}
