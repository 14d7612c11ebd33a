import { expect, test } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { servePage } from './page.ts'
import { startPublicService } from './public-service.ts'

test('@novu/js works unchanged in a browser: session, list, counts, message status, preferences, live messages', async (context) => {
  const browser = await startChromium(context)
  context.onTestFinished(() => browser.close())
  const { service, identifier, trigger } = await startPublicService(context)
  const url = await servePage("import { Novu } from '@novu/js'; Object.assign(globalThis, { Novu })", context)
  const page = await browser.newPage()
  await page.goto(url)
  await page.evaluate(
    async ([applicationIdentifier, apiUrl, socketUrl]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page has the public client as a global
      const all = globalThis as any
      const novu = new all.Novu({ applicationIdentifier, subscriber: 'ada', apiUrl, socketUrl, useCache: false })
      Object.assign(all, { novu, live: [], unread: [] })
      novu.on('notifications.notification_received', ({ result }: { result: unknown }) => all.live.push(result))
      novu.on('notifications.unread_count_changed', ({ result }: { result: unknown }) => all.unread.push(result))
      await novu.notifications.list()
      await novu.socket.connect()
    },
    [identifier, service.url, service.socketUrl ?? ''],
  )
  const unread = () => page.evaluate(() => (globalThis as unknown as { unread: object[] }).unread.at(-1))
  await expect.poll(unread).toMatchObject({ total: 0 })
  await trigger()
  const live = () => page.evaluate(() => (globalThis as unknown as { live: { body: string }[] }).live.length)
  await expect.poll(live, { timeout: 10_000, interval: 20 }).toBe(1)
  await expect.poll(unread).toMatchObject({ total: 1, severity: { none: 1 } })
  const results = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the public client is as it is
    const { novu, live: received } = globalThis as any
    const listed = (await novu.notifications.list()).data.notifications
    const [item] = listed
    const [global, own] = (await novu.preferences.list()).data
    const resultOf = async (change: Promise<{ data: unknown; error: unknown }>) => {
      const { data, error } = await change
      return error ? String(error) : JSON.parse(JSON.stringify(data ?? null))
    }
    return {
      received: { id: received[0].id, body: received[0].body, to: received[0].to.subscriberId },
      listed: listed.map(({ id }: { id: string }) => id),
      count: (await novu.notifications.count({ read: false })).data.count,
      read: await resultOf(item.read()),
      unread: await resultOf(item.unread()),
      seen: await resultOf(novu.notifications.seenAll()),
      complete: await resultOf(item.completePrimary()),
      revert: await resultOf(item.revertPrimary()),
      snooze: await resultOf(item.snooze(new Date(Date.now() + 3_600_000).toISOString())),
      unsnooze: await resultOf(item.unsnooze()),
      archive: await resultOf(item.archive()),
      unarchive: await resultOf(item.unarchive()),
      readAll: await resultOf(novu.notifications.readAll()),
      archiveAllRead: await resultOf(novu.notifications.archiveAllRead()),
      preferences: await resultOf(novu.preferences.list()),
      global: await resultOf(global.update({ channels: { email: false } })),
      own: await resultOf(own.update({ channels: { in_app: false } })),
      remove: await resultOf(item.delete()),
      left: (await novu.notifications.list({ archived: true })).data.notifications.length,
    }
  })
  expect(results).toMatchObject({
    received: { id: results.listed[0], body: 'On its way', to: 'ada' },
    ...{ count: 1, read: { isRead: true }, unread: { isRead: false } },
    complete: { primaryAction: { isCompleted: true } },
    revert: { primaryAction: { isCompleted: false } },
    ...{ snooze: { isSnoozed: true }, unsnooze: { isSnoozed: false } },
    ...{ archive: { isArchived: true }, unarchive: { isArchived: false } },
    ...{ seen: null, readAll: null, archiveAllRead: null, remove: null, left: 0 },
    preferences: [{ level: 'global' }, { level: 'template', workflow: { identifier: 'shipped' } }],
    ...{ global: { channels: { email: false } }, own: { channels: { in_app: false } } },
  })
})
