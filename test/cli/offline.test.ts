import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { workflow } from '@trestle/core'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../repository.ts'
import { bridgeHandler, listen } from './listen.ts'
import { startTrestle, trestleProcess } from './trestle.ts'

const denying = pathToFileURL(join(root, 'test/cli/deny-network.mjs')).href

/** An environment without access beyond loopback, and the list of attempts. */
function denyNetwork(): { env: Record<string, string>; denied(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-offline-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'denied.txt')
  const env = { NODE_OPTIONS: `--import ${denying}`, DENIED_FILE: file }
  return { env, denied: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') }
}

const greeting = workflow('greeting', async ({ step }) => {
  await step.inApp('inbox', () => ({ body: 'Good morning' }))
  await step.email('mail', () => ({ subject: 'Hello', body: '<p>Good morning</p>' }))
  await step.sms('text', () => ({ body: 'Good morning' }))
  await step.chat('chat', () => ({ body: 'Good morning' }))
  await step.push('push', () => ({ subject: 'Hello', body: 'Good morning' }))
})

test('trestle dev runs a workflow to its end without network access, and makes no external requests', async () => {
  const { origin, stop } = await listen(bridgeHandler({ workflows: [greeting], strictAuthentication: false }))
  onTestFinished(stop)
  const { env, denied } = denyNetwork()
  const running = startTrestle(['dev', '--port', '0', '--bridge', `${origin}/api/bridge`], { env })
  onTestFinished(() => void running.kill('SIGKILL'))
  const [, api = ''] = await running.until(/REST API\s+(\S+)/)
  const [, key = ''] = await running.until(/(sk_\w+)/)
  // The service is available before it has synced the bridge.
  await running.until(/1 workflow\n/)
  const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
  const pages = ['/studio/', '/metrics', '/openapi.json', '/health']
  for (const page of pages) expect([page, (await fetch(api + page, { headers })).status]).toEqual([page, 200])
  const body = JSON.stringify({
    name: 'greeting',
    to: { subscriberId: 'ada', email: 'ada@example.com', phone: '+1555' },
  })
  expect((await fetch(`${api}/v1/events/trigger`, { method: 'POST', headers, body })).status).toBe(201)
  await expect
    .poll(
      async () => {
        const answer = (await (await fetch(`${api}/v1/studio/runs`, { headers })).json()) as {
          data: { status: string }[]
        }
        return answer.data.map(({ status }) => status)
      },
      { timeout: 15_000 },
    )
    .toEqual(['completed'])
  expect((await running.kill('SIGINT')).status).toBe(0)
  expect(denied()).toBe('')
}, 120_000)

test('network access of a command is denied and recorded, so that the test can fail', async () => {
  const { env, denied } = denyNetwork()
  const { status } = await trestleProcess(['doctor', 'https://bridge.example.com/api/bridge'], { env })
  expect(status).toBe(1)
  expect(denied()).toContain('bridge.example.com')
}, 120_000)
