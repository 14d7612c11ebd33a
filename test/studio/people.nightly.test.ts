import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'

const incident = { service: 'checkout', summary: 'Payments fail.', since: '09:30', severity: 'high' }
const ada = { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+4930123' }

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', ada)
  await stage.call('POST', '/v2/topics', { key: 'on-call', name: 'On call' })
})
afterAll(async () => {
  await stage.stop()
})

async function read<T>(path: string): Promise<T> {
  return (await stage.call('GET', path)) as T
}

/** Notifies a new subscriber of an incident on every channel, and waits until the last message is in the outbox. */
async function tell(subscriberId: string, number = '+4930123'): Promise<string> {
  const email = `${subscriberId}@example.com`
  const to = { subscriberId, firstName: subscriberId, email, phone: number }
  await stage.call('POST', '/v1/events/trigger', { name: 'incident-opened', to, payload: incident })
  const mails = async () =>
    (await read<{ data: readonly { readonly _id: string }[] }>(`/v1/studio/outbox?recipient=${email}`)).data
  await expect.poll(async () => (await mails()).length).toBe(1)
  return (await mails())[0]?._id ?? ''
}

test('an inbox message arrives, and its actions work as for its recipient', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/subscribers')
  await page.getByRole('searchbox', { name: 'Search subscribers' }).fill('unknown')
  await page.getByText('No matching subscribers').waitFor()
  await page.getByRole('searchbox', { name: 'Search subscribers' }).fill('LOVEL')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByText('The inbox is empty').waitFor()
  await stage.call('POST', '/v1/events/trigger', { name: 'incident-opened', to: 'ada', payload: incident })

  const item = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem')
  await item.getByText('checkout is in trouble').waitFor()
  expect(await item.locator('strong', { hasText: 'checkout' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Unread (1)' }).waitFor()
  await item.getByRole('button', { name: 'Open the incident' }).click()
  await item.getByRole('button', { name: 'Open the incident', pressed: true }).waitFor()
  await item.getByRole('button', { name: /^Mark as read/ }).click()
  await item.getByRole('button', { name: /^Mark as unread/ }).waitFor()
  await page.getByRole('button', { name: 'Unread', exact: true }).click()
  await page.getByText('No unread messages').waitFor()

  interface Inbox {
    readonly data: readonly { readonly isRead: boolean; readonly primaryAction: { readonly isCompleted: boolean } }[]
  }
  const { data } = await read<Inbox>('/v2/subscribers/ada/notifications')
  expect(data).toMatchObject([{ isRead: true, primaryAction: { isCompleted: true } }])
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await item.getByRole('button', { name: /^Archive/ }).click()
  await page.getByText('The inbox is empty').waitFor()
  await page.getByRole('button', { name: 'Archived' }).click()
  await item.getByText('checkout is in trouble').waitFor()
  expect(studio.complaints).toEqual([])
})

test('an email in the outbox runs no script and loads no image without consent', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await tell('reader')
  await studio.go('/outbox?recipient=reader@example.com')
  await page.getByRole('link', { name: /reader@example.com/ }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'checkout' }).waitFor()
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
  const color = await frame.locator('.box').evaluate((box) => getComputedStyle(box).backgroundColor)
  expect(color).toBe('rgb(243, 245, 248)')
  expect(studio.complaints).toEqual([])
  await page.getByRole('button', { name: 'Load remote images' }).click()
  await expect.poll(() => studio.complaints).toContain('asked for https://example.com/graph.png')
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  expect(await page.getByRole('region', { name: 'the text part of the mail' }).textContent()).toContain(
    'Payments fail.',
  )
  await page.getByRole('button', { name: 'Delete this message' }).click()
  await page.getByText('No matching messages').waitFor()
})

test('shows an SMS in the outbox with its recipient', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await tell('texted', '+4930999')
  await studio.go('/outbox')
  await page.getByRole('link', { name: /\+4930999/ }).click()
  await page.getByText('1 segment').waitFor()
  await page.getByRole('button', { name: 'Empty the outbox' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all messages' }).click()
  await expect.poll(() => page.getByRole('link', { name: /\+4930999/ }).count()).toBe(0)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/studio/env/Development/outbox')
})

test('changes preferences of a subscriber, except for critical workflows', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await tell('chooser')
  await studio.go('/subscribers/chooser?tab=preferences')
  const email = page.getByRole('switch', { name: 'Order shipped: Email' })
  await email.click()
  interface Wanted {
    readonly workflows: readonly { readonly workflow: { readonly identifier: string }; readonly channels: object }[]
  }
  const orders = async () =>
    (await read<Wanted>('/v2/subscribers/chooser/preferences')).workflows.find(
      ({ workflow }) => workflow.identifier === 'order-shipped',
    )?.channels
  await expect.poll(orders).toMatchObject({ email: false, in_app: true })
  await expect.poll(() => email.isChecked()).toBe(false)
  expect(await page.getByRole('switch', { name: 'Incident opened: SMS' }).isDisabled()).toBe(true)
  await page.getByRole('tab', { name: 'Messages' }).click()
  await page.getByRole('link', { name: 'checkout is in trouble' }).first().waitFor()
  expect(new URL(page.url()).search).toBe('?tab=messages')
  // A chat card has many lines of text.
  await page.setViewportSize({ width: 390, height: 844 })
  const links = page.getByRole('table', { name: 'Messages' }).getByRole('link')
  const heights = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(48)
})

test('subscribers are created, added to topics and removed', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/subscribers')
  await page.getByRole('button', { name: 'New subscriber' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Identifier' }).fill('grace')
  await dialog.getByRole('textbox', { name: 'Language' }).fill('x'.repeat(600))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('textbox', { name: 'Language' }).fill('en_US')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'grace' }).waitFor()

  await studio.go('/topics')
  await page.getByRole('searchbox', { name: 'Search topics' }).fill('N-CAL')
  await page.waitForURL(/search=N-CAL/)
  await page.getByRole('link', { name: 'On call' }).click()
  const field = page.getByRole('combobox', { name: 'Subscriber id' })
  await field.fill('unknown')
  await page.getByText('Nothing found').waitFor()
  // While the suggestions are open, the rest of the page has no roles.
  await page.getByText('Add', { exact: true }).click()
  await page.getByText('Subscriber unknown does not exist').waitFor()
  await field.fill('grace')
  await field.press('Enter')
  await page.getByRole('row', { name: /grace/ }).waitFor()
  await page.getByRole('button', { name: 'Remove grace from the topic' }).click()
  await page.getByText('No subscribers').waitFor()
})

test('a secret variable is saved, and never shown again', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/environment-variables')
  await page.getByText('No variables yet').waitFor()
  await page.getByRole('button', { name: 'New variable' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Key' }).fill('not a key')
  await dialog.getByRole('switch', { name: 'Secret' }).click()
  await dialog.getByLabel('Value in Development').fill('canary-secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .getByText(/must start with a letter/)
    .first()
    .waitFor()
  await dialog.getByRole('textbox', { name: 'Key' }).fill('TOKEN')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /TOKEN/ }).getByText('Secret').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Change TOKEN' }).click()
  expect(await page.getByLabel('Value in Development').inputValue()).toBe('')
  expect(await page.content()).not.toContain('canary')
})

test('a studio page can be reached and used by keyboard only', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await tell('typist')
  await studio.go('/runs')
  await page.getByRole('table', { name: 'Runs' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
  const tabTo = async (text: string) => {
    for (let count = 0; count < 60 && (await focused()) !== text; count++) await page.keyboard.press('Tab')
    expect(await focused()).toBe(text)
  }
  await tabTo('Incident opened')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Step inbox' }).waitFor()
  const head = page.getByRole('article', { name: 'Step inbox' }).getByRole('button')
  await head.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Outcome' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'the request' }).waitFor()
})

test('finds pages for names with special URL characters', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  const names = ['ada@example.com', 'org/7', 'a?b#c=d,e$f&g;h', '50%', 'a%40b']
  for (const subscriberId of names) await stage.call('POST', '/v2/subscribers', { subscriberId })
  const keys = ['ada@example.com', 'news:de']
  for (const key of keys) await stage.call('POST', '/v2/topics', { key, name: `Topic ${key}` })
  for (const [list, name, link] of [
    ...names.map((name) => ['/subscribers', name, name] as const),
    ...keys.map((name) => ['/topics', name, `Topic ${name}`] as const),
  ]) {
    await studio.go(list)
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: link }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: link }).waitFor()
    expect([name, await page.getByText(/There is no such|was not found/).count()]).toEqual([name, 0])
  }
})
