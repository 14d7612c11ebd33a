import { workflow } from '@trestle/core'
import { expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, type StageOptions, startStage } from './stage.ts'
import { findViolations, type Look, phone, settle, type Visit } from './visit.ts'

const openPage = setUpPages()

async function open(stage: Stage, path: string, look: Look = {}): Promise<Visit> {
  const visit = await openPage(stage, look)
  await visit.go(path)
  return visit
}

async function onStages(play: (start: (options?: StageOptions) => Promise<Stage>) => Promise<void>): Promise<void> {
  const stages: Stage[] = []
  try {
    await play(async (options) => {
      const stage = await startStage(options)
      stages.push(stage)
      return stage
    })
  } finally {
    for (const stage of stages) await stage.stop()
  }
}

const trigger = { name: 'order-shipped', to: 'ada', payload: { id: '7' } }

test('a restarted service requires its new link, and then shows what happened', async () => {
  await onStages(async (start) => {
    const port = await findFreePort()
    const first = await start({ port })
    const { page } = await open(first, '/runs')
    await page.getByText('No runs yet').waitFor()
    await first.stop()
    const second = await start({ port })
    await second.call('POST', '/v1/events/trigger', trigger)
    await page.getByRole('heading', { name: 'Open an environment' }).waitFor()
    await page.goto(second.studioLink())
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('table', { name: 'Runs' }).getByText('ada').waitFor()
    await page.context().close()
  })
})

test('a page that could not be loaded appears after a reload', async () => {
  await onStages(async (start) => {
    const stage = await start()
    const { page } = await open(stage, '/runs')
    const script = '**/assets/variables-page*'
    await page.route(script, (route) => route.abort())
    await page.getByRole('link', { name: 'Variables', exact: true }).click()
    await page.getByText('The service did not send the page.').waitFor()
    await page.unroute(script)
    await page.getByRole('button', { name: 'Reload' }).click()
    await settle(page)
    await expect.poll(() => page.locator('h1').textContent()).toBe('Variables')
    await page.context().close()
  })
})

test('a list that could not be loaded shows only the error', async () => {
  await onStages(async (start) => {
    const stage = await start()
    const { page, go } = await open(stage, '/')
    const lists = /\/v[12]\/(?:studio\/)?(?:subscribers|topics|environment-variables|conversations)/
    await page.route(lists, (route) => route.fulfill({ status: 500, json: { statusCode: 500, message: 'Broken.' } }))
    for (const path of ['/subscribers', '/topics', '/environment-variables', '/agents/concierge']) {
      await go(path)
      await page.getByText("Couldn't load the").waitFor()
      expect(await page.locator('main section > div:empty').count(), path).toBe(0)
    }
    await page.context().close()
  })
})

test('a preview is rendered as soon as the bridge responds again', async () => {
  await onStages(async (start) => {
    const stage = await start()
    const { page } = await open(stage, '/workflows/incident-opened/steps/text')
    await page.getByText('rendered in').waitFor()
    await stage.stopApp()
    await page.getByLabel('service').fill('invoices')
    await page.getByText('ECONNREFUSED').first().waitFor()
    await stage.startApp()
    await page.getByText('rendered in').waitFor()
    await page.context().close()
  })
})

const long = 'x'.repeat(240)
const stretched = workflow(long, async ({ step }) => void (await step.inApp(`in-${long}`, () => ({ body: long }))), {
  tags: [long],
  description: long,
})

test('long names never hide other content', async () => {
  await onStages(async (start) => {
    const stage = await start({ more: [stretched] })
    await stage.call('POST', '/v2/topics', { key: long, name: 'Long' })
    await stage.call('POST', '/v1/events/trigger', { name: long, to: long, transactionId: long })
    for (const look of [{}, phone]) {
      const { page, go } = await open(stage, '/runs', look)
      const state = page.getByRole('table', { name: 'Runs' }).getByText('Completed', { exact: true })
      await state.waitFor()
      const places = ['/workflows', `/workflows/${long}`, `/workflows/${long}/steps/in-${long}`, `/topics/${long}`]
      for (const place of ['/runs', ...places, `/subscribers/${long}`]) {
        await go(place)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), place).toBeLessThanOrEqual(
          0,
        )
      }
      await go('/runs')
      const box = await state.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
      expect(await findViolations(page)).toEqual([])
      await page.context().close()
    }
  })
})
