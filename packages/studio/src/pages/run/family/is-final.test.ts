import { expect, test } from 'vitest'
import type { WholeRun } from '../../../api/generated/resources.ts'
import { isFinal as isFinalAt } from './is-final.ts'

const at = '2026-01-01T00:00:00.000Z'
const run = (more: object = {}) =>
  ({ _id: 'r1', finishedAt: at, ancestors: [], descendants: [], steps: [], ...more }) as unknown as WholeRun
const isFinal = (one: WholeRun, laterMs = 0): boolean => isFinalAt(one, Date.parse(at) + laterMs)
const trigger = (status: string) => ({ steps: [{ type: 'trigger', stepId: 't', status }] })
const child = (finishedAt: string | null) => ({ parentRunId: 'r1', stepId: 't', finishedAt })

test('a run is final once it and the runs that are linked with it have finished', () => {
  expect([run(), run({ finishedAt: null })].map((one) => isFinal(one))).toEqual([true, false])
  for (const side of ['ancestors', 'descendants'])
    expect([at, null].map((finishedAt) => isFinal(run({ [side]: [child(at), child(finishedAt)] })))).toEqual([
      true,
      false,
    ])
})

test('a run is not final until the runs of its completed steps exist', () => {
  expect(['completed', 'skipped', 'failed'].map((status) => isFinal(run(trigger(status))))).toEqual([false, true, true])
  expect(isFinal(run(trigger('completed')), 61_000)).toBe(true)
  expect(isFinal(run({ ...trigger('completed'), descendants: [child(at)] }))).toBe(true)
  expect(isFinal(run({ ...trigger('completed'), descendants: [{ ...child(at), parentRunId: 'r2' }] }))).toBe(false)
})
