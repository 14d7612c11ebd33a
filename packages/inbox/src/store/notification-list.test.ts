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

test('loads the first page once if it is requested while it loads', async () => {
  for (let index = 0; index < 45; index++) scene.server.add()
  const list = open().list()
  await list.loadMore()
  expect(list.getSnapshot()).toMatchObject({ status: 'ready', hasMore: true })
  expect(subjects(list)).toHaveLength(20)
  await Promise.all([list.loadMore(), list.loadMore()])
  expect(subjects(list)).toHaveLength(40)
})

test('loads when a service that was unreachable at first can be reached', async () => {
  scene.server.add()
  await scene.server.stop()
  const inbox = open()
  const list = inbox.list()
  await list.loadMore()
  expect(list.getSnapshot()).toMatchObject({ status: 'failed', error: { code: 'ServiceUnreachable' } })
  await scene.restart()
  scene.server.add()
  await ready(list)
  await expect.poll(() => subjects(list), within).toEqual(['Message 1'])
})

test('repeats a refetch that loses its connection', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await online(inbox)
  await settled()
  scene.server.fail('GET /notifications', 'unreachable')
  scene.server.change(id, { isRead: true })
  await expect.poll(() => list.getSnapshot().status, within).toBe('failed')
  scene.server.fail()
  await ready(list)
  expect(list.getSnapshot().items).toMatchObject([{ id, isRead: true }])
})

test('includes messages in the next refetch if one is rejected', async () => {
  const added = Array.from({ length: 30 }, () => scene.server.add())
  const [oldest = { id: '' }, newest = { id: '' }] = [added[0], added.at(-1)]
  const inbox = open()
  const list = inbox.list()
  await list.loadMore()
  await list.loadMore()
  await online(inbox)
  await settled()
  scene.server.fail('GET /notifications')
  scene.server.change(newest.id, { isRead: true })
  await expect.poll(() => list.getSnapshot().status, within).toBe('failed')
  scene.server.fail()
  scene.server.change(oldest.id, { isRead: true })
  await ready(list)
  const readIds = list.getSnapshot().items.flatMap(({ id, isRead }) => (isRead ? [id] : []))
  expect(readIds).toEqual([newest.id, oldest.id])
})

test('does not update a list without listeners until the next one subscribes', async () => {
  const { id } = scene.server.add({ tags: ['orders'] })
  const inbox = open()
  const lists = Array.from({ length: 20 }, (_, at) => inbox.list({ tags: ['orders', `project-${at}`] }))
  const [list] = lists
  if (!list) throw new Error('no list')
  await ready(...lists)
  await online(inbox)
  for (const one of lists) one.subscribe(() => undefined)()
  await settled()
  const { length } = scene.server.requests
  scene.server.change(id, { isRead: true })
  await settled()
  expect(scene.server.requests.slice(length)).toEqual([])
  const stop = list.subscribe(() => undefined)
  await expect.poll(() => list.getSnapshot().items[0]?.isRead, within).toBe(true)
  scene.server.change(id, { isRead: false })
  await expect.poll(() => list.getSnapshot().items[0]?.isRead, within).toBe(false)
  expect(scene.server.requests.slice(length)).toHaveLength(2)
  stop()
})
