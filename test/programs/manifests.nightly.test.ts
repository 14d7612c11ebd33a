import { expect, test } from 'vitest'
import { discover, drawWorkflows, underLoad } from './manifests.ts'

test('300 manifests have the same bytes on an idle machine and alongside four busy loops', {
  timeout: 900_000,
}, async () => {
  const workflows = drawWorkflows(300)
  const idle = await discover(workflows)
  expect(idle.size).toBe(300)
  expect(await underLoad(4, () => discover(workflows))).toEqual(idle)
  const alone = new Map<string, string>()
  await underLoad(4, async () => {
    for (const create of workflows) for (const [id, manifest] of await discover([create])) alone.set(id, manifest)
  })
  expect(alone).toEqual(idle)
})
