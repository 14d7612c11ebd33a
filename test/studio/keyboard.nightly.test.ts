import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' })
})
afterAll(() => stage.stop())

async function open(path: string): Promise<Page> {
  const { page, go } = await openPage(stage)
  await go(path)
  return page
}

/** Presses Enter on a control, waits until it is removed, and returns the focused element. */
async function pressUntilGone(control: Locator): Promise<string> {
  const element = await control.elementHandle()
  await press(control)
  await expect.poll(() => element?.evaluate((it) => it.isConnected)).toBe(false)
  // Later code in the same task may still move it.
  await control.page().evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))))
  return focusOf(control.page())
}

async function press(control: Locator): Promise<void> {
  await control.focus()
  await control.page().keyboard.press('Enter')
}

function focusOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: at } = document
    const legend = at instanceof HTMLFieldSetElement ? at.querySelector('legend') : at
    return `${at?.localName} ${at?.getAttribute('aria-label') ?? legend?.textContent}`
  })
}

test('the keyboard focus stays on an answered question, and on the heading of a resolved item', async () => {
  const { data } = (await stage.call('POST', '/v1/studio/conversations', { agentId: 'concierge' })) as {
    data: { _id: string }
  }
  const page = await open(`/agents/concierge/conversations/${data._id}`)
  const ask = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
  }
  await ask('day')
  expect(await pressUntilGone(page.getByRole('button', { name: 'Tuesday' }))).toBe('fieldset Which day suits you?')
  await ask('refund')
  expect(await pressUntilGone(page.getByRole('button', { name: 'Refund' }))).toBe('fieldset Refund order 7?')
  await ask('name')
  const answer = page.getByRole('textbox', { name: 'Answer to: What is your name?' })
  await answer.fill('Grace')
  expect(await pressUntilGone(answer)).toBe('fieldset What is your name?')
  await page.keyboard.press('Tab')
  expect(await focusOf(page)).not.toContain('Skip to content')
  expect(await pressUntilGone(page.getByRole('button', { name: 'Resolve' }))).toBe('h1 day')
})

test('the keyboard focus stays in a run after its wait is skipped or it is canceled', async () => {
  const payload = { orderId: 'K-1', carrier: 'post', trackingUrl: 'https://example.com/1', items: [] }
  for (const subscriberId of ['skips', 'cancels']) {
    const to = { subscriberId, email: `${subscriberId}@example.com` }
    await stage.call('POST', '/v1/events/trigger', { name: 'order-shipped', to, payload })
  }
  const openRun = async (subscriberId: string): Promise<Page> => {
    const page = await open(`/runs?subscriberId=${subscriberId}`)
    await page.getByRole('link', { name: 'Order shipped' }).click()
    await page.getByRole('button', { name: 'Skip the wait' }).waitFor()
    return page
  }
  const skipped = await openRun('skips')
  expect(await pressUntilGone(skipped.getByRole('button', { name: 'Skip the wait' }))).toBe('article Step wait')
  const canceled = await openRun('cancels')
  await press(canceled.getByRole('button', { name: 'Cancel', exact: true }))
  const confirm = canceled.getByRole('button', { name: 'Cancel runs' })
  expect(await pressUntilGone(confirm)).toBe('h1 Order shipped')
})

test('the keyboard focus moves to the next item of a list, or to the list’s position after the last one is removed', async () => {
  for (const subscriberId of ['a', 'b', 'c']) await stage.call('POST', '/v2/subscribers', { subscriberId })
  const path = '/v2/topics/board/subscriptions'
  await stage.call('POST', path, { subscriptions: ['a', 'b', 'c'] })
  const page = await open('/topics/board')
  const remove = (subscriberId: string) => page.getByRole('button', { name: `Remove ${subscriberId} from the topic` })
  expect(await pressUntilGone(remove('b'))).toMatch(/^button Remove [ac] from the topic$/)
  expect(await pressUntilGone(remove('a'))).toBe('button Remove c from the topic')
  expect(await pressUntilGone(remove('c'))).toBe('h2 Subscribers')
})

test('a disabled button keeps the keyboard focus', async () => {
  await stage.call('POST', '/v1/events/trigger', {
    name: 'incident-opened',
    to: 'ada',
    payload: { service: 'checkout', summary: 'Payments fail.', since: '09:30', severity: 'low' },
  })
  const page = await open('/subscribers/ada')
  await page.getByRole('button', { name: 'Unread (1)' }).waitFor()
  const readAll = page.getByRole('button', { name: 'Mark all as read' })
  await press(readAll)
  await page.getByRole('button', { name: 'Unread', exact: true }).waitFor()
  await expect.poll(() => readAll.isDisabled()).toBe(true)
  expect(await focusOf(page)).toBe('button Mark all as read')
  await page.keyboard.press('Tab')
  expect(await focusOf(page)).not.toContain('Skip to content')
  expect(await readAll.evaluate((it) => (it as HTMLButtonElement).disabled)).toBe(true)
})

test('a dialog returns the keyboard focus to its opener, or to the opener’s position', async () => {
  const page = await open('/topics')
  await press(page.getByRole('button', { name: 'New topic' }))
  await page.getByRole('dialog').waitFor()
  expect(await pressUntilGone(page.getByRole('button', { name: 'Cancel' }))).toBe('button New topic')
  const { data } = (await stage.call('GET', '/v1/environments/me')) as { data: { _id: string } }
  for (const key of ['ONE', 'TWO'])
    await stage.call('POST', '/v1/environment-variables', { key, values: [{ _environmentId: data._id, value: 'v' }] })
  const variables = await open('/environment-variables')
  const drop = async (key: string): Promise<string> => {
    await press(variables.getByRole('button', { name: `Delete ${key}` }))
    return pressUntilGone(variables.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  }
  expect(await drop('ONE')).toBe('button Delete TWO')
  expect(await drop('TWO')).toBe('h1 Variables')
})

test('Escape closes the reaction picker, and returns the keyboard focus to its button', async () => {
  const { data } = (await stage.call('POST', '/v1/studio/conversations', { agentId: 'concierge' })) as {
    data: { _id: string }
  }
  await stage.call('POST', `/v1/studio/conversations/${data._id}/messages`, { text: 'hi' })
  const page = await open(`/agents/concierge/conversations/${data._id}`)
  const message = page.getByRole('log').getByRole('listitem').filter({ hasText: 'You said: hi' })
  const react = message.getByRole('button', { name: 'React', exact: true })
  const offer = message.getByRole('button', { name: 'React with tada' })
  await press(react)
  await offer.focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => offer.count()).toBe(0)
  expect(await focusOf(page)).toBe('button React')
  await page.keyboard.press('Enter')
  expect(await pressUntilGone(offer)).toBe('button React')
  await message.getByRole('button', { name: 'tada, 1', pressed: true }).waitFor()
})
