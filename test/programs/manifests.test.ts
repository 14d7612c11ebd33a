import { expect, test } from 'vitest'
import { discover, drawWorkflows, underLoad } from './manifests.ts'

test('a manifest has the same bytes alone, among others, and alongside a busy process', {
  timeout: 120_000,
}, async () => {
  const workflows = drawWorkflows(12)
  const together = await discover(workflows)
  expect(together.size).toBe(12)
  const alone = new Map<string, string>()
  for (const create of workflows) for (const [id, manifest] of await discover([create])) alone.set(id, manifest)
  expect(alone).toEqual(together)
  expect(await underLoad(1, () => discover(workflows.toReversed()))).toEqual(together)
})
