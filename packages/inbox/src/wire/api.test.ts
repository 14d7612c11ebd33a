import { expect, test } from 'vitest'
import { createScene, ready, within } from '../../fixtures/inbox-scene.ts'

const scene = createScene()

test('retries a change whose response breaks off', async () => {
  const { id } = scene.server.add()
  const inbox = scene.open()
  await ready(inbox.list())
  scene.server.fail('/read', 'truncated')
  const done = inbox.read(id)
  await expect.poll(() => scene.server.requests.some((line) => line.endsWith('/read')), within).toBe(true)
  scene.server.fail()
  await done
  expect(scene.server.requests.filter((line) => line.endsWith('/read'))).toHaveLength(2)
})

test.each(['/session', 'GET /notifications'])('reports that the response of %s breaks off', async (path) => {
  scene.server.fail(path, 'truncated')
  const list = scene.open().list()
  await list.loadMore()
  expect(list.getSnapshot().error).toMatchObject({ name: 'InboxError', code: 'ServiceUnreachable' })
})
