import type { Issue } from '@trestle/protocol'
import { expect, test } from 'vitest'
import { toNextFields, toState } from './event-parts.ts'

const many = Array.from({ length: 1000 }, () => 1)

// A body may have millions of invalid entries.
test.each<[what: string, read: (issues: Issue[]) => unknown]>([
  ['stored results', (issues) => toState(many, issues)],
  ['steps in progress', (issues) => toNextFields({ next: true, taken: many }, issues)],
  ['described steps', (issues) => toNextFields({ next: true, describe: many }, issues)],
  ['saved controls', (issues) => toNextFields({ next: true, stepControls: { ...many } }, issues)],
])('only the first fifty issues of invalid %s are collected', (_what, read) => {
  const issues: Issue[] = []
  read(issues)
  expect(issues).toHaveLength(50)
})
