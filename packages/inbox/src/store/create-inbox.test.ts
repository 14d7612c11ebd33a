import { expect, test } from 'vitest'
import { createScene, online, ready, settled, subjects, watch, within } from '../../fixtures/inbox-scene.ts'
import type { Inbox } from './create-inbox.ts'

const scene = createScene()
const { open } = scene
const unread = (inbox: Inbox) => inbox.getSnapshot().counts.unread

test('lists messages newest first, loads older ones, and follows new ones', async () => {
  for (let index = 0; index < 45; index++) scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  expect(list.getSnapshot()).toMatchObject({ hasMore: true, newCount: 0 })
  expect(subjects(list)).toHaveLength(20)
  expect(subjects(list)[0]).toBe('Message 45')
  await online(inbox)
  await list.loadMore()
  await list.loadMore()
  expect(subjects(list)).toHaveLength(45)
  expect(list.getSnapshot().hasMore).toBe(false)
  scene.server.add()
  await expect.poll(() => subjects(list)[0], within).toBe('Message 46')
  await expect.poll(() => inbox.getSnapshot().counts, within).toMatchObject({ unread: 46, unseen: 46 })
})

test('keeps snapshots identical until something changes', async () => {
  scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await online(inbox)
  expect(list.getSnapshot()).toBe(list.getSnapshot())
  expect(inbox.getSnapshot()).toBe(inbox.getSnapshot())
  expect(inbox.list({ snoozed: false, archived: false })).toBe(list)
})

test('shows a change before the service has responded, and never shows the previous state again', async () => {
  const { id } = scene.server.add()
  scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await expect.poll(() => unread(inbox), within).toBe(2)
  const counts = watch(inbox, () => unread(inbox))
  const marks = watch(inbox, () => list.getSnapshot().items.find((item) => item.id === id)?.isRead)
  const resume = scene.server.pause()
  const done = inbox.read(id)
  expect(unread(inbox)).toBe(1)
  resume()
  await done
  await settled()
  expect(counts).toEqual([2, 1])
  expect(marks).toEqual([false, true])
})

test('reverts a change that the service rejects', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await expect.poll(() => unread(inbox), within).toBe(1)
  scene.server.fail('/archive')
  const done = inbox.archive(id)
  expect(subjects(list)).toEqual([])
  expect(unread(inbox)).toBe(0)
  await expect(done).rejects.toMatchObject({ code: 'RequestFailed', status: 400, message: 'Refused.' })
  expect(subjects(list)).toEqual(['Message 1'])
  expect(unread(inbox)).toBe(1)
})

test('moves messages between lists: archived, snoozed, unread, deleted', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  const [list, archived, snoozed, onlyUnread] = [
    inbox.list(),
    inbox.list({ archived: true }),
    inbox.list({ snoozed: true }),
    inbox.list({ read: false, archived: false, snoozed: false }),
  ]
  for (const one of [list, archived, snoozed, onlyUnread]) await ready(one)
  const sizes = () => [list, archived, snoozed, onlyUnread].map((one) => one.getSnapshot().items.length)
  expect(sizes()).toEqual([1, 0, 0, 1])
  await inbox.read(id)
  expect(sizes()).toEqual([1, 0, 0, 0])
  await inbox.archive(id)
  expect(sizes()).toEqual([0, 1, 0, 0])
  await inbox.unarchive(id)
  await inbox.snooze(id, new Date(Date.now() + 3_600_000))
  expect(sizes()).toEqual([0, 0, 1, 0])
  await inbox.unsnooze(id)
  await inbox.unread(id)
  expect(sizes()).toEqual([1, 0, 0, 1])
  await inbox.delete(id)
  expect(sizes()).toEqual([0, 0, 0, 0])
})

/** Opens an inbox with one message, and holds back further ones. */
async function openHeld() {
  scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await online(inbox)
  list.hold()
  return { inbox, list }
}

test('holds back new messages until they are requested', async () => {
  const { list } = await openHeld()
  scene.server.add()
  scene.server.add()
  await expect.poll(() => list.getSnapshot().newCount, within).toBe(2)
  expect(subjects(list)).toEqual(['Message 1'])
  list.showNew()
  expect(subjects(list)).toEqual(['Message 3', 'Message 2', 'Message 1'])
  expect(list.getSnapshot().newCount).toBe(0)
})

test.each(['readAll', 'archiveAll'] as const)('%s does not change messages that are held back', async (name) => {
  const { inbox, list } = await openHeld()
  scene.server.add()
  await expect.poll(() => list.getSnapshot().newCount, within).toBe(1)
  await inbox[name]()
  list.showNew()
  const [item] = list.getSnapshot().items
  expect(item).toMatchObject({ subject: 'Message 2', isRead: false, isArchived: false })
  await expect.poll(() => unread(inbox), within).toBe(1)
})

test('keeps two inboxes of one subscriber in sync', async () => {
  const { id } = scene.server.add()
  const [one, other] = [open(), open()]
  await ready(one.list())
  await ready(other.list())
  await online(one)
  await online(other)
  await one.read(id)
  await expect.poll(() => other.list().getSnapshot().items[0]?.isRead, within).toBe(true)
  await expect.poll(() => unread(other), within).toBe(0)
  await other.delete(id)
  await expect.poll(() => one.list().getSnapshot().items, within).toEqual([])
})

test('refetches only pages around a change', async () => {
  const added = Array.from({ length: 240 }, () => scene.server.add())
  const [one, other] = [open(), open()]
  const list = one.list()
  await ready(list)
  await online(one)
  await online(other)
  while (list.getSnapshot().hasMore) await list.loadMore()
  // Everything is fetched once when the stream opens.
  await settled()
  const before = scene.server.requests.length
  const [, , changed] = added
  await other.read(changed?.id ?? '')
  await expect.poll(() => list.getSnapshot().items.find(({ id }) => id === changed?.id)?.isRead, within).toBe(true)
  await other.delete(added[100]?.id ?? '')
  await expect.poll(() => list.getSnapshot().items.length, within).toBe(239)
  expect(scene.server.requests.slice(before).filter((line) => line === 'GET /notifications')).toHaveLength(2)
  expect(list.getSnapshot().hasMore).toBe(false)
})

test('renews an expired token once for all calls, without losing visible data', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await online(inbox)
  const sizes = watch(inbox, () => list.getSnapshot().items.length)
  const states = watch(inbox, () => inbox.getSnapshot().status)
  const before = scene.server.sessions()
  scene.server.expire()
  await Promise.all([inbox.read(id), list.loadMore(), inbox.preferences.load()])
  await expect.poll(() => scene.server.streams(), within).toBe(1)
  expect(scene.server.sessions()).toBe(before + 1)
  expect(sizes).toEqual([1])
  // An expired session is not a lost connection.
  expect(states).toEqual(['online'])
})

test('resumes the stream after the last event, without lost or repeated events', async () => {
  const inbox = open()
  await online(inbox)
  const received: string[] = []
  inbox.on('notification_received', ({ message }) => received.push(message.id))
  scene.server.add()
  await expect.poll(() => received.length, within).toBe(1)
  scene.server.drop()
  scene.server.add()
  scene.server.add()
  await expect.poll(() => received.length, within).toBe(3)
  expect(new Set(received).size).toBe(3)
})

test('sends offline changes when the service is reachable again', async () => {
  const { id } = scene.server.add()
  const inbox = open()
  await ready(inbox.list())
  await online(inbox)
  await scene.server.stop()
  const done = inbox.read(id)
  expect(inbox.list().getSnapshot().items[0]?.isRead).toBe(true)
  await expect.poll(() => inbox.getSnapshot().status, within).toBe('offline')
  await scene.restart()
  scene.server.add()
  await done
  expect(scene.server.requests).toContain(`PATCH /notifications/${id}/read`)
  await online(inbox)
})

test('stops with a reason when the session is rejected', async () => {
  const inbox = open({ subscriberHash: 'wrong' })
  await expect.poll(() => inbox.getSnapshot().status, within).toBe('refused')
  expect(inbox.getSnapshot().error).toMatchObject({ code: 'SessionRefused', message: 'The subscriber hash is wrong.' })
  const sessions = scene.server.requests.length
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(scene.server.requests.length).toBe(sessions)
})

test('reloads after a failure', async () => {
  scene.server.add()
  scene.server.fail('/notifications')
  const list = open().list()
  await expect.poll(() => list.getSnapshot().status, within).toBe('failed')
  scene.server.fail()
  await list.loadMore()
  expect(subjects(list)).toEqual(['Message 1'])
})

test('stops all activity when it is closed', async () => {
  const inbox = open()
  await online(inbox)
  inbox.close()
  await expect.poll(() => scene.server.streams(), within).toBe(0)
  await expect(inbox.readAll()).rejects.toMatchObject({ code: 'Closed' })
})

test.each([
  [{ url: 'example.com' }, '`url` of the inbox must be the http(s) URL of the notification service.'],
  [{ applicationIdentifier: '' }, '`applicationIdentifier` of the inbox is missing'],
  [{ subscriber: '' }, '`subscriber` of the inbox must be a subscriber id'],
])('rejects the options %j', (options, message) => {
  expect(() => open(options)).toThrow(message)
})

test('calls the listeners of a list when a message arrives, and keeps unchanged messages identical', async () => {
  scene.server.add()
  const inbox = open()
  const list = inbox.list()
  await ready(list)
  await online(inbox)
  await settled()
  const [first] = list.getSnapshot().items
  let calls = 0
  list.subscribe(() => calls++)
  const { id } = scene.server.add()
  await expect.poll(() => subjects(list), within).toEqual(['Message 2', 'Message 1'])
  expect(calls).toBeGreaterThan(0)
  await inbox.read(id)
  await settled()
  expect(list.getSnapshot().items[1]).toBe(first)
})
