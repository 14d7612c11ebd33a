import { createInbox, type Inbox } from '@trestle/inbox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startWorld, type World } from '../service/world.fixture.ts'

// Tests the client against the real service; simulated faults are in the package's unit tests.

const within = { timeout: 30_000, interval: 20 }
let world: World
let applicationIdentifier: string

beforeAll(async () => {
  world = await startWorld()
  const { data } = (await world.call('GET /v1/environments/me')) as { data: { identifier: string } }
  applicationIdentifier = data.identifier
})
afterAll(() => world.stop())

function open(subscriber: string): Inbox {
  const inbox = createInbox({ applicationIdentifier, subscriber, url: world.service.url })
  onTestFinished(() => inbox.close())
  return inbox
}

const send = (to: string): Promise<never> =>
  world.call('POST /v1/events/trigger', { name: 'welcome', to: { subscriberId: to }, payload: { name: to } })

test('shows a triggered message, and keeps two inboxes in sync', async () => {
  const [one, other] = [open('ada'), open('ada')]
  const lists = [one.list(), other.list()]
  for (const inbox of [one, other]) await expect.poll(() => inbox.getSnapshot().status, within).toBe('online')
  await send('ada')
  for (const list of lists)
    await expect.poll(() => list.getSnapshot().items, within).toMatchObject([{ subject: 'Welcome', isRead: false }])
  for (const inbox of [one, other]) await expect.poll(() => inbox.getSnapshot().counts.unread, within).toBe(1)
  const id = lists[0]?.getSnapshot().items[0]?.id ?? ''
  await one.read(id)
  await expect.poll(() => lists[1]?.getSnapshot().items[0]?.isRead, within).toBe(true)
  for (const inbox of [one, other])
    await expect.poll(() => inbox.getSnapshot().counts, within).toMatchObject({ unread: 0, unseen: 0 })
  await other.archive(id)
  await expect.poll(() => lists[0]?.getSnapshot().items, within).toEqual([])
})

test('changes a message in every supported way', async () => {
  const inbox = open('grace')
  const list = inbox.list({})
  await expect.poll(() => inbox.getSnapshot().status, within).toBe('online')
  await send('grace')
  await expect.poll(() => list.getSnapshot().items.length, within).toBe(1)
  const item = () => list.getSnapshot().items[0]
  const id = item()?.id ?? ''
  await inbox.seen([id])
  expect(item()).toMatchObject({ isSeen: true, isRead: false })
  await inbox.readAll()
  expect(item()).toMatchObject({ isRead: true })
  await inbox.unread(id)
  expect(item()).toMatchObject({ isRead: false })
  await inbox.archive(id)
  await inbox.unarchive(id)
  expect(item()).toMatchObject({ isArchived: false })
  await inbox.snooze(id, new Date(Date.now() + 3_600_000))
  expect(item()).toMatchObject({ isSnoozed: true })
  await inbox.unsnooze(id)
  await inbox.complete(id, 'primary')
  expect(item()).toMatchObject({ isSnoozed: false, primaryAction: { label: 'Start', isCompleted: true } })
  await inbox.delete(id)
  expect(list.getSnapshot().items).toEqual([])
})

test('reads and changes preferences', async () => {
  const { preferences } = open('alan')
  await preferences.load()
  expect(preferences.getSnapshot().items[0]?.level).toBe('global')
  await preferences.update({ email: false }, 'welcome')
  await preferences.load()
  const welcome = preferences.getSnapshot().items.find(({ workflow }) => workflow?.identifier === 'welcome')
  expect(welcome?.channels).toMatchObject({ email: false, in_app: true })
})
