import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sign } from '@trestle/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../free-port.ts'

const secret = 'the secret key of the environment'

/** Each example with a payload for one of its steps. */
const servers = [
  [
    'express',
    'order-shipped',
    'inbox',
    { orderId: '7', carrier: 'post', trackingUrl: 'https://post.test/7', items: [] },
  ],
  ['agent', 'customer-waits', 'tell', { reason: 'r', conversationId: 'c' }],
  ['fastify', 'sign-in-code', 'code', { code: '123456' }],
  ['h3', 'sign-in-code', 'code', { code: '123456' }],
  ['hono', undefined, undefined, undefined],
  ['inbox', 'mention', 'tell', { author: 'Grace', text: 'Look', url: '/' }],
  ['koa', 'sign-in-code', 'code', { code: '123456' }],
  ['nest', 'welcome', 'hello', { customerId: 'c-1' }],
  ['next', 'sign-in-code', 'code', { code: '123456' }],
  ['react-router', 'sign-in-code', 'code', { code: '123456' }],
  ['sveltekit', 'sign-in-code', 'code', { code: '123456' }],
] as const

/** Starts a built example by its `start` script, and waits until it prints its address. */
async function start(name: string): Promise<number> {
  const port = await findFreePort()
  const folder = new URL(`../../examples/${name}/`, import.meta.url)
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const environment = { ...process.env }
  Reflect.deleteProperty(environment, 'NODE_ENV')
  const path = `${fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))}:${environment['PATH']}`
  const child: ChildProcess = spawn('sh', ['-c', `exec env ${scripts.start}`], {
    cwd: fileURLToPath(folder),
    env: { ...environment, PATH: path, PORT: String(port), SERVICE_SECRET_KEY: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  child.stderr?.on('data', (chunk) => said.push(String(chunk)))
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (/\/api\/bridge|Listening on|Ready in/.test(line)) return port
  throw new Error(`The example ${name} ended: ${said.join('')}`)
}

test.each(servers)(
  'the example for %s serves signed calls',
  { timeout: 30_000 },
  async (name, workflow, step, payload) => {
    const port = await start(name)
    const call = async (query: string, body?: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/bridge?${query}`, {
        ...(body !== undefined && { method: 'POST', body }),
        headers: { 'content-type': 'application/json', 'service-signature': await sign(secret, body ?? '{}') },
      })
    const discovered = await call('action=discover')
    expect(discovered.status).toBe(200)
    const { workflows } = (await discovered.json()) as { workflows: { steps: unknown[] }[] }
    expect(workflows.length).toBeGreaterThan(0)
    for (const { steps } of workflows) expect(steps.length).toBeGreaterThan(0)
    expect((await fetch(`http://127.0.0.1:${port}/api/bridge?action=discover`)).status).toBe(401)
    if (workflow === undefined) return
    // Differs from JSON.stringify output, so that only the raw bytes can be verified.
    const event = `${JSON.stringify({ payload, controls: {}, state: [], subscriber: {} }).replaceAll(',', ', ')}`
    const executed = await call(`action=execute&workflowId=${workflow}&stepId=${step}`, event)
    expect(await executed.json()).toMatchObject({ metadata: { status: 'success' } })
  },
)
