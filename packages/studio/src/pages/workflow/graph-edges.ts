import { type GraphLayout, type Line, sizes } from './layout-graph.ts'

/** An edge of the graph, as a path. */
export interface Edge {
  /** The SVG path. */
  readonly path: string
  /** Whether it bypasses conditional steps. */
  readonly isBypass: boolean
  /** The position of its label. */
  readonly label?: { readonly x: number; readonly y: number }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** How far an edge around steps is from them. */
const out = 22
const corner = 10

/** Returns the paths of the edges of a graph: vertical and horizontal lines with rounded corners. */
export function toEdges(layout: GraphLayout): readonly Edge[] {
  const boxes = boxesOf(layout)
  return layout.lines.flatMap(({ from, to, isBypass }: Line): readonly Edge[] => {
    const [source, target] = [boxes.get(from), boxes.get(to)]
    if (!source || !target) return []
    const [start, end] = [
      { x: source.x, y: source.bottom },
      { x: target.x, y: target.top },
    ]
    return [isBypass ? around(start, end, layout.stepWidth) : { path: straight(start, end), isBypass }]
  })
}

interface Box {
  /** The center. */
  readonly x: number
  readonly top: number
  readonly bottom: number
}

function boxesOf({ steps, stepWidth, width, endY }: GraphLayout): ReadonlyMap<string, Box> {
  const end = (top: number): Box => ({ x: width / 2, top, bottom: top + sizes.end })
  return new Map([
    ['start', end(sizes.top)],
    ...steps.map(({ step, x, y }): [string, Box] => [
      `step:${step.stepId}`,
      { x: x + stepWidth / 2, top: y, bottom: y + sizes.height },
    ]),
    ['end', end(endY)],
  ])
}

function straight(from: Point, to: Point): string {
  if (from.x === to.x) return `M ${from.x} ${from.y} V ${to.y}`
  return line([from, { x: from.x, y: (from.y + to.y) / 2 }, { x: to.x, y: (from.y + to.y) / 2 }, to])
}

function around(from: Point, to: Point, stepWidth: number): Edge {
  const side = Math.max(from.x, to.x) + stepWidth / 2 + out
  const [top, bottom] = [from.y + sizes.gapY / 2 - corner / 2, to.y - sizes.gapY / 2 + corner / 2]
  const path = line([
    from,
    ...[from.x, side].map((x) => ({ x, y: top })),
    ...[side, to.x].map((x) => ({ x, y: bottom })),
    to,
  ])
  return { path, isBypass: true, label: { x: side, y: (top + bottom) / 2 } }
}

/** Joins points that differ in one coordinate each, and rounds the corners. */
function line(points: readonly Point[]): string {
  const parts = points.slice(1, -1).map((point, index) => {
    const [before, after] = [points[index] ?? point, points[index + 2] ?? point]
    const [enter, leave] = [toward(point, before), toward(point, after)]
    return `L ${enter.x} ${enter.y} Q ${point.x} ${point.y} ${leave.x} ${leave.y}`
  })
  const [first, last] = [points[0], points.at(-1)]
  return `M ${first?.x} ${first?.y} ${parts.join(' ')} L ${last?.x} ${last?.y}`
}

/** Returns the point near a corner, on the way to another point. */
function toward(point: Point, other: Point): Point {
  const [dx, dy] = [other.x - point.x, other.y - point.y]
  const length = Math.hypot(dx, dy)
  const part = length === 0 ? 0 : Math.min(corner, length / 2) / length
  return { x: point.x + dx * part, y: point.y + dy * part }
}
