import { expect, test } from 'vitest'
import { createTriggerRun } from '../calls/trigger-run.ts'
import { planChildren } from './plan-children.ts'
import type { ChildRun, Simulation } from './simulation.ts'

test('limits the runs below the first run', () => {
  const createRun = (depth: number) => createTriggerRun({ id: 't', payload: {}, overrides: {}, atMs: 0 }, depth)
  const toChild = (run: ChildRun['run']) => ({ stepId: 's', run }) as ChildRun
  const [root, child, other] = [createRun(0), createRun(1), createRun(0)]
  const simulation = {
    workflows: [{ workflowId: 'w' }],
    simulations: new Map(),
    subscribers: new Map(),
    options: {},
    childrenOf: new Map([
      [root, [toChild(child)]],
      [child, Array.from({ length: 9_998 }, () => toChild(createRun(2)))],
    ]),
  } as unknown as Simulation
  const plan = (run: ChildRun['run'], to: readonly string[]) =>
    planChildren(simulation, run, { step: { stepId: 's', type: 'trigger' }, outputs: { workflow: 'w', to } })
  for (const run of [root, child]) {
    expect(plan(run, ['ada'])).toHaveLength(1)
    expect(plan(run, ['ada', 'bob'])).toContain('can trigger at most 10000 runs, and these would be 10001')
  }
  expect(plan(other, ['ada', 'bob'])).toHaveLength(2)
})
