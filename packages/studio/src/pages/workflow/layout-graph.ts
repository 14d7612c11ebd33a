import type { StepManifest } from '../../api/generated/resources.ts'

/** A step with its position in the graph. */
export interface PlacedStep {
  readonly step: StepManifest
  /** The left edge, in pixels. */
  readonly x: number
  /** The top edge, in pixels. */
  readonly y: number
}

/** An edge of the graph. */
export interface Line {
  /** The start of the edge: a step id, or `start`. */
  readonly from: string
  /** The end of the edge: a step id, or `end`. */
  readonly to: string
  /** Whether it bypasses conditional steps. */
  readonly isBypass: boolean
}

/** The graph of a workflow. */
export interface GraphLayout {
  readonly steps: readonly PlacedStep[]
  /** The edges between the steps. */
  readonly lines: readonly Line[]
  /** The width of the graph, in pixels. */
  readonly width: number
  /** The width of each step, in pixels. */
  readonly stepWidth: number
  /** The height of the graph, in pixels. */
  readonly height: number
  /** The top edge of the end node. */
  readonly endY: number
}

/** Sizes in the graph, in pixels. */
export const sizes = { width: 186, narrow: 128, height: 60, gapX: 16, gapY: 44, top: 24, end: 32 } as const

/**
 * Lays out the steps of a workflow from top to bottom, with parallel groups side by side. Edges lead from each group to
 * the next, and around conditional steps.
 *
 * @param steps - The steps in order.
 * @param available - The available width, in pixels. Steps are narrower if they would not fit. @default unlimited
 */
export function layoutGraph(steps: readonly StepManifest[], available: number = Number.POSITIVE_INFINITY): GraphLayout {
  const rows = toRows(steps)
  const { height, gapX, gapY, top, end } = sizes
  const widest = Math.max(1, ...rows.map((row) => row.length))
  const fitting = Math.floor((available - (widest - 1) * gapX) / widest)
  const step = Math.min(sizes.width, Math.max(sizes.narrow, fitting))
  const width = widest * step + (widest - 1) * gapX
  const yOf = (row: number): number => top + end + gapY + row * (height + gapY)
  const placed = rows.flatMap((row, index) => {
    const left = (width - (row.length * step + (row.length - 1) * gapX)) / 2
    return row.map((one, column) => ({ step: one, x: left + column * (step + gapX), y: yOf(index) }))
  })
  const endY = yOf(rows.length)
  return { steps: placed, lines: linesOf(rows), width, stepWidth: step, endY, height: endY + end + top }
}

function toRows(steps: readonly StepManifest[]): readonly (readonly StepManifest[])[] {
  const rows: StepManifest[][] = []
  for (const step of steps) {
    const last = rows.at(-1)
    const isBeside = step.parallelGroup !== undefined && last?.[0]?.parallelGroup === step.parallelGroup
    if (last && isBeside) last.push(step)
    else rows.push([step])
  }
  return rows
}

function linesOf(rows: readonly (readonly StepManifest[])[]): readonly Line[] {
  const idsOf = (row: number): readonly string[] =>
    row < 0 ? ['start'] : row >= rows.length ? ['end'] : (rows[row] ?? []).map(({ stepId }) => `step:${stepId}`)
  const lines: Line[] = []
  for (let row = -1; row < rows.length; row += 1) {
    for (const from of idsOf(row)) for (const to of idsOf(row + 1)) lines.push({ from, to, isBypass: false })
    const next = rows[row + 1]
    if (next?.every(({ conditional }) => conditional === true))
      lines.push({ from: middleOf(idsOf(row)), to: middleOf(idsOf(row + 2)), isBypass: true })
  }
  return lines
}

function middleOf(ids: readonly string[]): string {
  return ids[Math.floor((ids.length - 1) / 2)] ?? 'end'
}
