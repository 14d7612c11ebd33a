import { expect, test } from 'vitest'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { Discovery, ExploredRun } from '../discovery/discovery.ts'
import { keepDiscovery } from '../discovery/known-discoveries.ts'
import { findRun } from './found-run.ts'

const runOf = (base: 'fullest' | 'emptiest', changes: number, hasEnded: boolean): ExploredRun => ({
  variation: { base, changes: new Map(Array.from({ length: changes }, (_, at) => [`${at}`, 1])) },
  ids: new Set(['shown']),
  hasEnded,
})
const [usual, changed, emptiest, failed] = [
  runOf('fullest', 1, true),
  runOf('fullest', 9, true),
  runOf('emptiest', 0, true),
  runOf('fullest', 0, false),
]

test.each([
  ['the one with the least changes', [changed, usual], usual],
  ['a full one before an empty one', [emptiest, changed], changed],
  ['one that came to its end before one that did not', [failed, emptiest], emptiest],
  ['one that did not where no other is', [failed], failed],
])('previews a step with %s', async (_name, runs, expected) => {
  const workflow = { id: 'w' } as RegisteredWorkflow
  keepDiscovery(workflow, { runs, steps: [], reached: new Set(), awaitsOnlySteps: true } as unknown as Discovery)
  expect(await findRun(workflow, 'shown')).toBe(expected)
  expect(await findRun(workflow, 'other')).toBeUndefined()
})
