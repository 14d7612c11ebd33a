import { expect, onTestFinished, test } from 'vitest'
import { startExample } from '../../.scripts/start/example.mjs'
import { startChromium } from '../browser/chromium.ts'

test('the bell of npm start changes when a workflow is triggered', async (context) => {
  const browser = await startChromium(context)
  onTestFinished(() => browser.close())
  const { session, bridgeUrl } = await startExample({ port: 0 })
  onTestFinished(() => session.stop())
  await session.ready
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(new URL('/', bridgeUrl).href)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  const payload = { author: 'Grace', text: 'Can you look at this?', url: '/#comment-1' }
  const triggered = await fetch(`${session.service.url}/v1/events/trigger`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${session.service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'mention', to: 'ada', payload }),
  })
  expect(triggered.status).toBe(201)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByText('Grace mentioned you').waitFor()
  await dialog.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  // Neither the page nor the content security policy reports an error.
  expect(complaints).toEqual([])
})
