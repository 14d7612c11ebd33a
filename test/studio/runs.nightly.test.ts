import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workflow } from '@trestle/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture } from './visit.ts'

const order = {
  orderId: 'A-1042',
  carrier: 'post',
  trackingUrl: 'https://example.com/t/1042',
  items: [{ name: 'Lamp', quantity: 2 }],
}

/** Its siren is only for loud alarms. */
const alarm = workflow(
  'alarm',
  async ({ step, payload }) => {
    await step.inApp('bell', () => ({ body: 'Ring' }))
    if (payload.isLoud) await step.sms('siren', () => ({ body: 'Wake up' }))
  },
  {
    name: 'Alarm',
    payloadSchema: {
      type: 'object',
      properties: { isLoud: { type: 'boolean', default: true } },
      required: ['isLoud'],
      additionalProperties: false,
    },
  },
)

const batch = workflow(
  'batch',
  async ({ step }) => {
    const { events } = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
    await step.inApp('summary', () => ({ body: `${events.length} changes` }))
  },
  { name: 'Batch' },
)

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ more: [alarm, batch] })
})
afterAll(async () => {
  await stage.stop()
})

async function trigger(name: string, to: object | string, payload: object = {}): Promise<void> {
  await stage.call('POST', '/v1/events/trigger', { name, to, payload })
}

test('follows a run live, skips its wait, and shows its email', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  const me = (await stage.call('GET', '/v1/environments/me')) as { data: { _id: string } }
  await stage.call('POST', '/v1/environment-variables', {
    key: 'API_TOKEN',
    isSecret: true,
    values: [{ _environmentId: me.data._id, value: 'canary-secret' }],
  })
  await studio.go('/runs')
  await page.getByText('No runs yet').waitFor()
  await trigger('order-shipped', { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' }, order)

  // The page updates without a reload or a click.
  const row = page.getByRole('row', { name: /Order shipped/ })
  await row.getByText('Waiting', { exact: true }).waitFor()
  await row.getByRole('link', { name: 'Order shipped' }).click()
  const wait = page.getByRole('article', { name: 'Step wait' })
  await wait.getByText(/Resumes in (1 h|60 min|59 min)/).waitFor()
  expect(await page.getByRole('article', { name: 'Step email' }).count()).toBe(0)
  await wait.getByRole('button', { name: 'Skip the wait' }).click()
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed').waitFor()

  await page.getByRole('article', { name: 'Step email' }).getByRole('button', { name: /email/ }).click()
  const mail = page.getByRole('complementary', { name: 'Details of step email' })
  await mail.getByRole('tab', { name: 'Bridge call' }).click()
  const request = mail.getByRole('region', { name: 'the request' })
  expect(await request.textContent()).toContain('"API_TOKEN": "******"')
  expect(await mail.getByRole('region', { name: 'the response' }).textContent()).toContain(
    'Your order A-1042 is on its way',
  )
  await mail.getByRole('tab', { name: 'History' }).click()
  await mail.getByText('Message kept in the outbox').waitFor()
  expect(await page.content()).not.toContain('canary')

  await mail.getByRole('tab', { name: 'Outcome' }).click()
  await mail.getByRole('link', { name: 'Open in outbox' }).click()
  const item = page.getByRole('list', { name: 'Messages' }).getByRole('link')
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Your order is on its way' }).waitFor()
  expect(await frame.getByText('2 x Lamp').count()).toBe(1)
  await item.getByText(/, read$/).waitFor()
  expect(studio.complaints).toEqual([])
})

test('shows the event that a run waits for, and sends it', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  const event = { event: 'order.decided', match: { order: 'A-7' }, timeout: { amount: 2, unit: 'days' } }
  const steps = [{ name: 'Decision', type: 'wait_for_event', controlValues: event }]
  await stage.call('POST', '/v2/workflows', { name: 'Approval', workflowId: 'approval', active: true, steps })
  await trigger('approval', 'katherine')
  await studio.go('/runs?subscriberId=katherine')
  await page
    .getByRole('row', { name: /Waiting/ })
    .getByRole('link', { name: 'Approval' })
    .click()
  const step = page.getByRole('article', { name: 'Step decision' })
  await step.getByText('Waits for the event order.decided with order = "A-7"').waitFor()
  await step.getByText(/Times out in \d/).waitFor()
  await step.getByRole('button', { name: 'Send this event' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send order.decided' })
  await dialog.getByText('All runs for katherine that wait for this event receive it.').waitFor()
  await dialog.getByRole('button', { name: 'Send event' }).click()
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed').waitFor()
  await step.getByRole('button', { name: /decision/ }).click()
  const result = page.getByRole('region', { name: 'what later steps see of decision' })
  expect(await result.textContent()).toMatch(/"received": true[\s\S]*"order": "A-7"/)
  expect(studio.complaints).toEqual([])
})

test('cancels the runs of a trigger after a confirmation, and runs one again with the same data', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await trigger('order-shipped', 'grace', { ...order, orderId: 'B-7' })
  await studio.go('/runs?subscriberId=grace')
  await page
    .getByRole('row', { name: /Waiting/ })
    .getByRole('link', { name: 'Order shipped' })
    .click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText('including those of other recipients').waitFor()
  await page.getByRole('button', { name: 'Keep running' }).click()
  expect(await page.getByText('Resumes in').count()).toBe(1)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel runs' }).click()
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Canceled').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
  const before = page.url()
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.waitForURL((url) => /\/runs\/[0-9a-f]{24}$/.test(url.pathname) && url.href !== before)
  await page.getByText('Resumes in').waitFor()
  expect(await page.getByRole('region', { name: 'the payload' }).textContent()).toContain('"orderId": "B-7"')
})

test('shows why a step failed, and links to a fix', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await trigger('welcome', { subscriberId: 'alan', email: 'alan@example.com' })
  await studio.go('/runs?workflowId=welcome')
  await page
    .getByRole('row', { name: /Failed/ })
    .getByRole('link', { name: 'Welcome' })
    .click()
  const step = page.getByRole('article', { name: 'Step mail' })
  await step.getByRole('alert').getByText(/shout/).waitFor()
  await step.getByRole('link', { name: 'StepControlCompilationFailedError' }).click()
  await page.getByRole('heading', { name: 'StepControlCompilationFailedError' }).waitFor()
  await page.getByRole('heading', { name: 'What to do' }).waitFor()
  await page.getByRole('link', { name: 'Error codes' }).first().click()
  await page.getByRole('searchbox', { name: 'Search error codes' }).fill('does not match the body')
  await page.getByRole('link', { name: 'SignatureMismatchError' }).waitFor()
  expect(await page.getByRole('link', { name: 'SignatureExpiredError' }).count()).toBe(0)
})

test('shows why a run failed before its first step', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await trigger('order-shipped', 'margaret', { ...order, orderId: 7 })
  await studio.go('/runs?subscriberId=margaret')
  await page
    .getByRole('row', { name: /Failed/ })
    .getByRole('link', { name: 'Order shipped' })
    .click()
  const alert = page.getByRole('alert')
  await alert.getByText('/orderId: must be a string').waitFor()
  await alert.getByRole('link', { name: 'WorkflowPayloadInvalidError' }).waitFor()
  expect(await page.getByText('reached no step').count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(1)
})

test('keeps filters in the URL, and shows a message if nothing matches', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await trigger('sign-in-code', { subscriberId: 'dorothy', phone: '+15551234567' }, { code: '123456' })
  await studio.go('/runs')
  await page.getByRole('link', { name: 'dorothy' }).waitFor()
  const choose = async (menu: RegExp, item: string): Promise<void> => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitemcheckbox', { name: item }).click()
    await page.keyboard.press('Escape')
  }
  await choose(/^Workflow/, 'Sign-in code')
  await page.waitForURL(/workflowId=sign-in-code/)
  await page.reload()
  await page.getByRole('link', { name: 'dorothy' }).waitFor()
  expect(await page.getByRole('table', { name: 'Runs' }).getByRole('row').count()).toBe(2)
  await choose(/^Status/, 'Merged')
  await page.getByText('No matching runs').waitFor()
  await choose(/^Status/, 'Merged')
  await page.getByRole('link', { name: 'dorothy' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('nobody is called so')
  await page.getByText('No matching runs').waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByRole('link', { name: 'dorothy' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('shows a message if a run does not exist', async () => {
  const studio = await openPage(stage)
  await studio.go('/runs/000000000000000000000000')
  await studio.page.getByText('Run not found').waitFor()
})

test('shows why a trigger created no run', async () => {
  const trigger = (transactionId: string, topicKey: string) =>
    stage.call('POST', '/v1/events/trigger', { name: 'welcome', to: [{ type: 'Topic', topicKey }], transactionId })
  await stage.call('POST', '/v2/topics', { key: 'nobody', name: 'Nobody' })
  await trigger('to-none', 'missing')
  await trigger('to-nobody', 'nobody')
  const { page, go } = await openPage(stage)
  await go('/runs?transactionId=to-none')
  await page.getByText('The trigger created no run').waitFor()
  expect(await page.getByText(/missing/).count()).toBe(1)
  await go('/runs?transactionId=to-nobody')
  await page.getByText('It had no recipients').waitFor()
  await go('/runs?transactionId=to-nobody&status=failed')
  await page.getByText('No matching runs').waitFor()
  await go('/runs?transactionId=never')
  await page.getByText('No run for this transaction yet').waitFor()
})

test('shows what the provider has reported about a message', async ({ onTestFinished }) => {
  const provider = createServer((_request, response) => response.end('{"id":"mail-1"}')).listen(0, '127.0.0.1')
  onTestFinished(() => void provider.close())
  await new Promise((resolve) => provider.once('listening', resolve))
  const webhookKey = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const credentials = { apiKey: 're_x', from: 'shop@example.com', baseUrl, webhookKey }
  const integration = { providerId: 'resend', channel: 'email', active: true, credentials }
  const { data } = (await stage.call('POST', '/v1/integrations', integration)) as { data: Integration }
  onTestFinished(async () => void (await stage.call('DELETE', `/v1/integrations/${data._id}`)))

  const report = async (type: string, more: object = {}): Promise<number> => {
    const event = { type: `email.${type}`, created_at: new Date().toISOString(), data: { email_id: 'mail-1', ...more } }
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hmac = createHmac('sha256', Buffer.alloc(24, 1)).update(`msg_${type}.${timestamp}.${body}`)
    const signature = `v1,${hmac.digest('base64')}`
    const headers = { 'svix-id': `msg_${type}`, 'svix-timestamp': timestamp, 'svix-signature': signature }
    const reply = await fetch(data.reportsUrl, { method: 'POST', headers, body })
    return ((await reply.json()) as { stored: number }).stored
  }
  await trigger('order-shipped', { subscriberId: 'reported', email: 'reported@example.com' }, order)
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/runs?subscriberId=reported')
  await page
    .getByRole('row', { name: /Order shipped/ })
    .getByRole('link', { name: 'Order shipped' })
    .click()
  await page.getByRole('button', { name: 'Skip the wait' }).click()
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed').waitFor()
  await expect.poll(() => report('delivered')).toBe(1)
  await report('bounced', { bounce: { message: 'The mailbox is full.' } })
  await page.reload()
  const mail = page.getByRole('article', { name: 'Step email' })
  const reason = mail.getByText(/^The mailbox is full\. /)
  await reason.getByRole('link', { name: 'Open integration' }).waitFor()
  await mail.getByRole('button', { name: /email/ }).click()
  const details = page.getByRole('complementary', { name: 'Details of step email' })
  const reports = details.getByRole('listitem')
  expect((await reports.allTextContents()).map((text) => text.replace(/ just now| \d+ sec. ago/, ''))).toEqual([
    'Delivered',
    'Bounced: The mailbox is full.',
  ])
  await details.getByRole('tab', { name: 'History' }).click()
  await details.getByText('The provider could not deliver the message: The mailbox is full.').waitFor()
  await studio.go(`/integrations/${data._id}`)
  await page.getByText(data.reportsUrl).waitFor()
  expect(studio.complaints).toEqual([])
})

interface Integration {
  readonly _id: string
  readonly reportsUrl: string
}

test('says why a finished run did not reach a step, and links to the step', async () => {
  const { page, go, complaints } = await openPage(stage)
  await trigger('alarm', 'joan', { isLoud: false })
  await go('/runs?subscriberId=joan')
  await page
    .getByRole('row', { name: /Completed/ })
    .getByRole('link', { name: 'Alarm' })
    .click()
  const left = page.getByRole('listitem').filter({ hasText: 'Not reached: its condition was false.' })
  await left.getByText('siren').waitFor()
  expect(await page.title()).toBe('Alarm for joan · Trestle studio')
  await keepPicture(page, 'not reached')
  expect(await findViolations(page)).toEqual([])
  await left.getByRole('link', { name: 'Open step' }).click()
  await page.waitForURL(/\/workflows\/alarm\/steps\/siren/)
  expect(complaints).toEqual([])
})

test('links a digest with the runs that it merged', async () => {
  const { page, go, complaints } = await openPage(stage)
  await trigger('batch', 'mary')
  await go('/runs?workflowId=batch')
  await page.getByRole('row', { name: /Waiting/ }).waitFor()
  await trigger('batch', 'mary')
  await go('/runs?workflowId=batch&status=merged')
  await page
    .getByRole('row', { name: /Merged/ })
    .getByRole('link', { name: 'Batch' })
    .click()
  const collect = page.getByRole('article', { name: 'Step collect' })
  const mergedUrl = page.url()
  await collect.getByRole('link', { name: 'Open that run' }).click()
  await collect.getByText('Includes 1 merged run').waitFor()
  await collect.getByRole('button', { name: /^collect/ }).click()
  const panel = page.getByRole('complementary', { name: 'Details of step collect' })
  await keepPicture(page, 'merged runs')
  expect(await findViolations(page)).toEqual([])
  await panel.getByRole('list', { name: 'Runs merged into collect' }).getByRole('link', { name: 'Batch' }).click()
  await page.waitForURL((url) => url.pathname === new URL(mergedUrl).pathname)
  expect(complaints).toEqual([])
})
