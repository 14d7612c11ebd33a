import { expect, test } from 'vitest'
import type { StepManifest } from '../../api/generated/resources.ts'
import { toEdges } from './graph-edges.ts'
import { layoutGraph, sizes } from './layout-graph.ts'

const step = (stepId: string, more: Partial<StepManifest> = {}): StepManifest => ({ stepId, type: 'email', ...more })

test('edges connect consecutive steps, and bypass conditional ones', () => {
  const steps = [
    step('a'),
    step('b', { parallelGroup: 1 }),
    step('c', { parallelGroup: 1 }),
    step('d', { conditional: true }),
  ]
  const layout = layoutGraph(steps)
  const edges = toEdges(layout)
  expect(edges).toHaveLength(layout.lines.length)
  const middle = layout.width / 2
  expect(edges[0]?.path).toBe(`M ${middle} ${sizes.top + sizes.end} V ${layout.steps[0]?.y}`)
  const [, , second] = layout.steps
  const intoSecond = edges.find(({ path }) => path.endsWith(`L ${(second?.x ?? 0) + sizes.width / 2} ${second?.y}`))
  expect(intoSecond?.path).toContain('Q')
  const bypass = edges.find(({ isBypass }) => isBypass)
  expect(bypass?.label?.x).toBeGreaterThan((layout.steps.at(-1)?.x ?? 0) + sizes.width)
})

test('steps are narrower if they would not fit, down to a readable width', () => {
  const steps = ['a', 'b', 'c'].map((stepId) => step(stepId, { parallelGroup: 1 }))
  expect(layoutGraph(steps, 500)).toMatchObject({ stepWidth: 156, width: 500 })
  expect(layoutGraph(steps, 100).stepWidth).toBe(sizes.narrow)
  expect(layoutGraph(steps, 5000).stepWidth).toBe(sizes.width)
})
