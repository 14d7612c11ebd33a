import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StepManifest } from '../../api/generated/resources.ts'
import { layoutGraph, sizes } from './layout-graph.ts'

const steps = fc
  .array(fc.record({ conditional: fc.boolean(), beside: fc.boolean() }), { maxLength: 25 })
  .map((given) => {
    let group = -1
    return given.map(({ conditional, beside }, index): StepManifest => {
      if (!beside) group += 1
      return { stepId: `s${index}`, type: 'email', conditional, parallelGroup: group }
    })
  })

test('places steps without overlap, inside the graph, in order from top to bottom', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { steps: placed, width, endY } = layoutGraph(given)
      expect(placed.map(({ step }) => step)).toEqual(given)
      for (const [index, one] of placed.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(0)
        expect(one.x + sizes.width).toBeLessThanOrEqual(width)
        expect(one.y + sizes.height).toBeLessThan(endY)
        for (const other of placed.slice(index + 1)) {
          const isBeside = other.step.parallelGroup === one.step.parallelGroup
          if (isBeside) expect(other).toMatchObject({ y: one.y })
          if (isBeside) expect(other.x).toBeGreaterThanOrEqual(one.x + sizes.width)
          else expect(other.y).toBeGreaterThan(one.y + sizes.height)
        }
      }
    }),
  )
})

test('draws edges from the start through every step to the end, and around conditional steps', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { lines } = layoutGraph(given)
      const reached = new Set(lines.filter(({ isBypass }) => !isBypass).map(({ to }) => to))
      expect(reached).toEqual(new Set([...given.map(({ stepId }) => `step:${stepId}`), 'end']))
      const groups = [...new Set(given.map(({ parallelGroup }) => parallelGroup))]
      const skippable = groups.filter((group) =>
        given.every((step) => step.parallelGroup !== group || step.conditional),
      )
      expect(lines.filter(({ isBypass }) => isBypass)).toHaveLength(skippable.length)
    }),
  )
})
