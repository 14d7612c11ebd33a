import { expect, test } from 'vitest'
import { createScene, online, ready, settled, subjects, watch, within } from '../../fixtures/inbox-scene.ts'

const scene = createScene()
const { open } = scene

test('treats an empty list in a filter as omitted', async () => {
  const { id } = scene.server.add({ tags: ['orders'] })
  const inbox = open()
  const list = inbox.list({ tags: [], severity: [], archived: false })
  expect(list).toBe(inbox.list({ archived: false }))
  await ready(list)
  expect(subjects(list)).toEqual(['Message 1'])
  const resume = scene.server.pause()
  const done = inbox.readAll({ tags: [] })
  expect(list.getSnapshot().items).toMatchObject([{ id, isRead: true }])
  resume()
  await done
})

test('loses a message that was read elsewhere only in the list of unread ones', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  const [all, unread, archived] = [inbox.list({}), inbox.list({ read: false }), inbox.list({ archived: true })]
  await ready(all, unread, archived)
  await online(inbox)
  await settled()
  const sizes = watch(all, () => all.getSnapshot().items.length)
  scene.server.change(id, { isRead: true })
  await expect.poll(() => subjects(unread), within).toEqual([])
  await settled()
  expect(all.getSnapshot().items).toMatchObject([{ id, isRead: true }])
  scene.server.change(id, { isArchived: true })
  await expect.poll(() => subjects(archived), within).toEqual(['Message 1'])
  expect(sizes).toEqual([1])
  scene.server.change(id, { isRead: false })
  await expect.poll(() => subjects(unread), within).toEqual(['Message 1'])
})

test('does not show a message again that was deleted elsewhere', async () => {
  const { id } = scene.server.add()
  scene.server.add()
  const inbox = open()
  const [all, unread] = [inbox.list({}), inbox.list({ read: false })]
  await ready(all, unread)
  await online(inbox)
  scene.server.change(id, 'delete')
  for (const list of [all, unread]) await expect.poll(() => subjects(list), within).toEqual(['Message 2'])
  await inbox.readAll()
  expect(subjects(all)).toEqual(['Message 2'])
  const later = inbox.list({ read: true })
  await ready(later)
  expect(subjects(later)).toEqual(['Message 2'])
})
