import { expect, test } from 'vitest'
import { createScene, online, ready, settled, subjects, within } from '../../fixtures/inbox-scene.ts'

const scene = createScene()

/** Opens an inbox with a message whose archiving loses its connection. */
async function loseArchiving(path: string) {
  const { id } = scene.server.add()
  const inbox = scene.open()
  await ready(inbox.list())
  scene.server.fail(path, 'unreachable')
  const archived = path.includes(id) ? inbox.archive(id) : inbox.archiveAll()
  await expect.poll(() => scene.server.requests.some((line) => line.includes(path)), within).toBe(true)
  return { id, inbox, archived }
}

test.each(['00000001/archive', 'notifications/archive'])('sends changes in order if %s is retried', async (path) => {
  const { id, inbox, archived } = await loseArchiving(path)
  const undone = inbox.unarchive(id)
  await new Promise((resolve) => setTimeout(resolve, 100))
  scene.server.fail()
  await Promise.all([archived, undone])
  expect(scene.server.requests.filter((line) => !line.startsWith('GET')).at(-1)).toBe(
    `PATCH /notifications/${id}/unarchive`,
  )
  expect(inbox.list().getSnapshot().items).toMatchObject([{ id, isArchived: false }])
})

test.each([
  ['readAll', 'read'],
  ['archiveAll', 'archive'],
  ['archiveAllRead', 'read-archive'],
] as const)('leaves messages unchanged that arrive before %s is sent', async (name, path) => {
  const inbox = scene.open()
  const list = inbox.list({})
  await ready(list)
  await online(inbox)
  await settled()
  const isRead = name === 'archiveAllRead'
  const earlier = scene.server.add({ isRead })
  await expect.poll(() => subjects(list), within).toEqual(['Message 1'])
  scene.server.fail(`notifications/${path}`, 'unreachable')
  const done = inbox[name]()
  const later = scene.server.add({ isRead })
  const items = () => list.getSnapshot().items
  const expected = [
    { id: later.id, isRead, isArchived: false },
    { id: earlier.id, isRead: true, isArchived: name !== 'readAll' },
  ]
  await expect.poll(items, within).toMatchObject(expected)
  scene.server.fail()
  await done
  await settled()
  expect(items()).toMatchObject(expected)
})

test('sends no bulk change if the inbox is empty', async () => {
  const inbox = scene.open()
  await ready(inbox.list())
  await inbox.archiveAll()
  expect(scene.server.requests.some((line) => line.startsWith('POST /notifications'))).toBe(false)
})

test('applies a bulk change to newer messages that no list has loaded', async () => {
  scene.server.add({ isArchived: true })
  scene.server.add()
  const inbox = scene.open()
  await ready(inbox.list({ archived: true }))
  await inbox.readAll()
  const list = inbox.list()
  await ready(list)
  expect(list.getSnapshot().items).toMatchObject([{ subject: 'Message 2', isRead: true }])
})

test('sends changes to other messages while one is retried', async () => {
  const { id: other } = scene.server.add()
  const { inbox, archived } = await loseArchiving('00000002/archive')
  await inbox.read(other)
  scene.server.fail()
  await archived
})

test('counts a retried deletion as successful if the message is gone', async () => {
  const { id } = scene.server.add()
  const inbox = scene.open()
  await ready(inbox.list())
  scene.server.fail('DELETE', 'unanswered')
  const deleted = inbox.delete(id)
  await expect.poll(() => scene.server.requests.some((line) => line.startsWith('DELETE')), within).toBe(true)
  scene.server.fail()
  await deleted
  expect(inbox.list().getSnapshot().items).toEqual([])
})
