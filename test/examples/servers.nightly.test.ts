import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sign } from '@trestle/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../free-port.ts'

const secret = 'the secret key of the environment'

/** The program of each example, which is built, and a payload of the one workflow that is asked for. */
const servers = [
  [
    'express',
    'dist/server.js',
    'order-shipped',
    'inbox',
    { orderId: '7', carrier: 'post', trackingUrl: 'https://post.test/7', items: [] },
  ],
  ['agent', 'dist/server.js', 'customer-waits', 'tell', { reason: 'r', conversationId: 'c' }],
  ['fastify', 'dist/server.js', 'welcome', 'hello', { name: 'Ada' }],
  ['h3', 'dist/server.js', 'welcome', 'hello', { name: 'Ada' }],
  ['hono', 'dist/server.js', undefined, undefined, undefined],
  ['koa', 'dist/server.js', 'welcome', 'hello', { name: 'Ada' }],
  ['nest', 'dist/main.js', 'welcome', 'hello', { customerId: 'c-1' }],
  ['next', '../../node_modules/next/dist/bin/next', 'sign-in-code', 'code', { code: '123456' }],
  ['react-router', 'server.js', 'welcome', 'hello', { name: 'Ada' }],
  ['sveltekit', 'build/index.js', 'welcome', 'hello', { name: 'Ada' }],
] as const

/** Starts an example as a user does, built and in production, and waits until it says where it is. */
async function start(name: string, file: string): Promise<number> {
  const port = await findFreePort()
  const cwd = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [file, ...(name === 'next' ? ['start'] : [])], {
    cwd,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production', SERVICE_SECRET_KEY: secret },
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
  async (name, file, workflow, step, payload) => {
    const port = await start(name, file)
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
    // Not as JavaScript prints JSON: only who sees the bytes can verify them.
    const event = `${JSON.stringify({ payload, controls: {}, state: [], subscriber: {} }).replaceAll(',', ', ')}`
    const executed = await call(`action=execute&workflowId=${workflow}&stepId=${step}`, event)
    expect(await executed.json()).toMatchObject({ metadata: { status: 'success' } })
  },
)
