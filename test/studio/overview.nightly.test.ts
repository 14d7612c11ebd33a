import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, settle } from './visit.ts'

/** Runs a program against the service of this process. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 15_000 })
  return stdout
}

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', { subscriberId: 'grace', firstName: 'Grace', email: 'grace@example.com' })
  await stage.call('POST', '/v2/topics', { key: 'on-call', name: 'On call' })
  await stage.call('POST', '/v2/topics/on-call/subscriptions', { subscriptions: ['grace'] })
})
afterAll(() => stage.stop())

async function open(path: string, on: Stage = stage): Promise<Page> {
  const visit = await openPage(on)
  await visit.go(path)
  return visit.page
}

async function runsOf(
  transactionId: string | null,
): Promise<readonly { payload: unknown; to: { subscriberId: string } }[]> {
  const { data } = (await stage.call('GET', `/v1/notifications?transactionId=${transactionId}`)) as {
    data: readonly { payload: unknown; to: { subscriberId: string } }[]
  }
  return data
}

test('the overview counts results and links to problems', async () => {
  const page = await open('/')
  const figures = await page.locator('dl > div').allTextContents()
  expect(figures.slice(0, 4)).toEqual(['Running0', 'Completed0', 'Completed with warnings0', 'Failed0'])
  expect(figures.slice(4)).toEqual(['Workflows5', 'Steps14', 'Problems0', 'Warnings2'])
  const fault = page.getByRole('listitem').filter({ hasText: 'undefined filter: shout' })
  expect(await fault.getByRole('link', { name: 'ControlTemplateInvalid' }).getAttribute('href')).toBe(
    '/studio/env/Development/errors/ControlTemplateInvalid',
  )
  await fault.getByRole('link', { name: 'welcome / mail' }).click()
  await page.getByRole('heading', { level: 1, name: 'mail' }).waitFor()
})

test('finds workflows by words and tags, which the URL keeps', async () => {
  const page = await open('/workflows')
  const names = async (): Promise<readonly string[]> => page.locator('tbody a').allTextContents()
  expect(await names()).toHaveLength(5)
  await page.getByLabel('Search workflows').fill('cool-down')
  await expect.poll(names).toEqual(['Incident opened'])
  await page.getByLabel('Search workflows').fill('')
  await page.getByRole('button', { name: 'orders' }).click()
  await expect.poll(names).toEqual(['Order shipped'])
  await page.reload()
  await settle(page)
  expect(await names()).toEqual(['Order shipped'])
  await page.getByLabel('Search workflows').fill('nothing-like-it')
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect.poll(names).toHaveLength(5)
})

test('draws a workflow with steps in order, parallel ones next to each other, and conditional ones marked', async () => {
  const page = await open('/workflows/incident-opened')
  const drawing = page.getByRole('region', { name: 'Steps in order' })
  const boxes = await Promise.all(
    ['inbox', 'text', 'phone', 'channel', 'report', 'cool-down', 'score'].map(async (stepId) => ({
      stepId,
      box: await drawing.getByRole('link', { name: stepId }).boundingBox(),
    })),
  )
  const y = Object.fromEntries(boxes.map(({ stepId, box }) => [stepId, Math.round(box?.y ?? 0)]))
  expect(y['text']).toBe(y['phone'])
  expect(y['phone']).toBe(y['channel'])
  const down = ['inbox', 'text', 'report', 'cool-down', 'score'].map((stepId) => y[stepId] ?? 0)
  expect(down).toEqual([...down].sort((a, b) => a - b))
  expect(new Set(down).size).toBe(down.length)
  expect(await drawing.getByText('else').count()).toBe(1)
  expect(await drawing.getByRole('link', { name: 'report' }).textContent()).toContain(', conditional')
  expect(await page.getByText('cannot change it').count()).toBe(1)
  await drawing.getByRole('link', { name: 'channel' }).click()
  await page.getByRole('heading', { level: 1, name: 'channel' }).waitFor()
})

describe('a trigger', () => {
  test('reaches a subscriber with the edited payload, and links to its run', async () => {
    const page = await open('/trigger?workflow=sign-in-code')
    await page.getByLabel('Subscriber id').fill('grace')
    await page.getByText('A subscriber of this environment.').waitFor()
    await page.getByLabel('code', { exact: true }).fill('654321')
    await page.getByRole('button', { name: 'Trigger' }).click()
    await page.waitForURL(/\/runs\?transactionId=/)
    const runs = await waitForRuns(new URL(page.url()).searchParams.get('transactionId'))
    expect(runs).toMatchObject([{ payload: { code: '654321', minutes: 5 }, to: { subscriberId: 'grace' } }])
  })

  test('reaches a topic', async () => {
    const page = await open('/trigger?workflow=sign-in-code')
    await page.getByRole('button', { name: 'Topic' }).click()
    expect(await page.getByRole('button', { name: 'Trigger' }).isDisabled()).toBe(true)
    await page.getByLabel('Topic key').fill('off-call')
    await page.getByText('No topic has this key').waitFor()
    await page.getByLabel('Topic key').fill('on-call')
    await page.getByRole('option', { name: 'on-call' }).click()
    await page.getByRole('button', { name: 'Trigger' }).click()
    await page.waitForURL(/\/runs\?transactionId=/)
    const runs = await waitForRuns(new URL(page.url()).searchParams.get('transactionId'))
    expect(runs).toMatchObject([{ to: { subscriberId: 'grace' } }])
  })

  test('that the service rejects shows the reason at its field', async () => {
    const page = await open('/trigger?workflow=sign-in-code')
    await page.getByLabel('code', { exact: true }).fill('not a code')
    await page.locator('[id="payload_code__error"]').waitFor()
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByRole('textbox', { name: 'the payload' }).fill('[]')
    await page.getByRole('region', { name: 'the call as curl' }).getByText('"payload": []').waitFor()
    const answered = page.waitForResponse(/events\/trigger$/)
    await page.getByRole('button', { name: 'Trigger' }).click()
    expect((await answered).status()).toBe(422)
    const alert = page.getByRole('alert')
    await alert.getByText("Couldn't trigger the workflow").waitFor()
    expect(await alert.textContent()).toContain('payload: must be an object')
    expect(page.url()).not.toContain('/runs')
  })

  test('works the same as a command and as a program', async () => {
    const page = await open('/trigger?workflow=sign-in-code&subscriber=grace')
    const env = { ...process.env, SERVICE_SECRET_KEY: stage.secretKey }
    const command = (await page.getByRole('region', { name: 'the call as curl' }).textContent()) ?? ''
    const answer = JSON.parse(await run('bash', ['-c', command], env)) as {
      data: { transactionId: string }
    }
    expect(await waitForRuns(answer.data.transactionId)).toHaveLength(1)
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    const program = (await page.getByRole('region', { name: 'the call as TypeScript' }).textContent()) ?? ''
    const file = fileURLToPath(new URL('call.tmp.mjs', import.meta.url))
    try {
      writeFileSync(
        file,
        program.replace('await api', 'const { data } = await api').concat('console.log(JSON.stringify(data))'),
      )
      const printed = JSON.parse(await run(process.execPath, [file], env)) as {
        transactionId: string
      }
      expect(await waitForRuns(printed.transactionId)).toHaveLength(1)
    } finally {
      rmSync(file, { force: true })
    }
  })

  async function waitForRuns(transactionId: string | null): ReturnType<typeof runsOf> {
    await expect.poll(() => runsOf(transactionId)).not.toEqual([])
    return runsOf(transactionId)
  }
})

test('an environment without a bridge asks for one, shows why a sync failed, and lists the workflows', async () => {
  const empty = await startStage({ synced: false })
  try {
    const page = await open('/', empty)
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Bridge URL').fill('http://127.0.0.1:1/api/bridge')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('alert').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${empty.url}/studio/workflows`)
    await page.getByText('No workflows yet').waitFor()
    await page.goto(`${empty.url}/studio/trigger`)
    await page.getByText('Nothing to trigger yet').waitFor()
    await page.getByRole('link', { name: 'Connect a bridge' }).click()
    await page.getByLabel('Bridge URL').fill(empty.bridgeUrl)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Bridge connected').waitFor()
    await expect.poll(() => page.locator('dl > div').allTextContents()).toContain('Workflows5')
  } finally {
    await empty.stop()
  }
})

test('another environment is shown separately, and stays selected', async () => {
  const page = await open('/')
  await page.getByLabel('Environment').selectOption('Production')
  await page.getByLabel('Bridge URL').waitFor()
  await page.reload()
  await page.getByLabel('Bridge URL').waitFor()
  await page.getByLabel('Environment').selectOption('Development')
  await expect.poll(() => page.locator('dl > div').allTextContents()).toContain('Workflows5')
})
