import { expect, test } from 'vitest'
import { createScene, ready, subjects } from '../../fixtures/inbox-scene.ts'

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
