import { expect, test } from 'vitest'
import { createScene, online, within } from '../../fixtures/inbox-scene.ts'
import type { Preferences } from './preference-store.ts'

const scene = createScene()
const { open } = scene
const ready = (preferences: Preferences) => expect.poll(() => preferences.getSnapshot().status, within).toBe('ready')

test('changes preferences immediately and reverts a rejected change', async () => {
  const inbox = open()
  const { preferences } = inbox
  preferences.subscribe(() => undefined)
  await expect.poll(() => preferences.getSnapshot().status, within).toBe('ready')
  const email = () => preferences.getSnapshot().items[1]?.channels.email
  const done = preferences.update({ email: false }, 'order-shipped')
  expect(email()).toBe(false)
  await done
  expect(email()).toBe(false)
  scene.server.fail('/preferences')
  await expect(preferences.update({ email: true }, 'order-shipped')).rejects.toMatchObject({ status: 400 })
  expect(email()).toBe(false)
})

test('changes the schedule immediately and reverts a rejected change', async () => {
  const { preferences } = open()
  await preferences.load()
  const isOn = () => preferences.getSnapshot().items[0]?.schedule?.isEnabled
  const done = preferences.updateSchedule({ isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } })
  expect(isOn()).toBe(true)
  await done
  scene.server.fail('/preferences')
  const refused = preferences.updateSchedule({ isEnabled: false })
  expect(isOn()).toBe(false)
  await expect(refused).rejects.toMatchObject({ status: 400 })
  expect(isOn()).toBe(true)
})

test('keeps days of the schedule that were changed on another device', async () => {
  const [{ preferences }, other] = [open(), open()]
  await preferences.load()
  const [monday, tuesday] = [{ isEnabled: true }, { isEnabled: false }]
  await other.preferences.updateSchedule({ isEnabled: true, weeklySchedule: { monday } })
  const week = () => preferences.getSnapshot().items[0]?.schedule?.weeklySchedule
  const done = preferences.updateSchedule((current) => ({
    isEnabled: true,
    weeklySchedule: { ...current?.weeklySchedule, tuesday },
  }))
  expect(week()).toEqual({ tuesday })
  await done
  expect(scene.server.schedule()?.weeklySchedule).toEqual({ monday, tuesday })
  expect(week()).toEqual({ monday, tuesday })
})

test('reloads when the first listener is added again, and shows the old preferences until then', async () => {
  const [{ preferences }, other] = [open(), open()]
  const stop = preferences.subscribe(() => undefined)
  await ready(preferences)
  stop()
  await other.preferences.update({ email: false }, 'order-shipped')
  const requests = () => scene.server.requests.filter((line) => line === 'GET /preferences').length
  const before = requests()
  preferences.subscribe(() => undefined)
  preferences.subscribe(() => undefined)
  const email = () => preferences.getSnapshot().items[1]?.channels.email
  expect([preferences.getSnapshot().status, email()]).toEqual(['ready', true])
  await expect.poll(email, within).toBe(false)
  expect(requests()).toBe(before + 1)
})

test('shares a request of concurrent loads', async () => {
  const { preferences } = open()
  await Promise.all([preferences.load(), preferences.load()])
  expect(scene.server.requests.filter((line) => line === 'GET /preferences')).toHaveLength(1)
})

test('shows the effective preferences of workflows after a change of the global preference', async () => {
  const { preferences } = open()
  await preferences.load()
  const emails = () => preferences.getSnapshot().items.map(({ channels }) => channels.email)
  expect(emails()).toEqual([true, true])
  await preferences.update({ email: false })
  expect(emails()).toEqual([false, false])
  await preferences.update({ email: true }, 'order-shipped')
  await preferences.update({ email: false })
  expect(emails()).toEqual([false, true])
})

test('sends offline changes in order when the service is reachable again', async () => {
  const inbox = open()
  await online(inbox)
  await inbox.preferences.load()
  scene.server.fail('/preferences', 'unreachable')
  const done = [inbox.preferences.update({ email: false }, 'order-shipped')]
  await expect.poll(() => scene.server.requests.some((line) => line.startsWith('PATCH')), within).toBe(true)
  done.push(inbox.preferences.update({ email: true }, 'order-shipped'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  scene.server.fail()
  await Promise.all(done)
  expect(inbox.preferences.getSnapshot().items[1]?.channels.email).toBe(true)
  await inbox.preferences.load()
  expect(inbox.preferences.getSnapshot().items[1]?.channels.email).toBe(true)
})

test('loads when a service that was unreachable at first can be reached', async () => {
  await scene.server.stop()
  const { preferences } = open()
  preferences.subscribe(() => undefined)
  await expect.poll(() => preferences.getSnapshot().status, within).toBe('failed')
  await scene.restart()
  await ready(preferences)
  expect(preferences.getSnapshot().items).toHaveLength(2)
})
