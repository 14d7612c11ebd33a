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

test.each([408, 425, 502, 504])(
  'retries a change, a list and a session whose response has status %i',
  async (status) => {
    const { id } = scene.server.add()
    for (const part of ['/session', 'GET /notifications', '/read']) {
      const inbox = scene.open()
      const list = inbox.list()
      if (part === '/read') await ready(list)
      scene.server.fail(part, status)
      const done = part === '/read' ? inbox.read(id) : list.loadMore()
      const { length } = scene.server.requests
      await expect
        .poll(() => scene.server.requests.slice(length).filter((line) => line.includes(part)).length, within)
        .toBeGreaterThan(0)
      scene.server.fail()
      await done
      await ready(list)
      await expect.poll(() => inbox.getSnapshot().status, within).toBe('online')
      inbox.close()
    }
  },
)

test('gives up a session that is refused', async () => {
  scene.server.fail('/session', 403)
  const inbox = scene.open()
  await expect
    .poll(() => inbox.getSnapshot(), within)
    .toMatchObject({
      ...{ status: 'refused', error: { code: 'SessionRefused', status: 403 } },
    })
})
