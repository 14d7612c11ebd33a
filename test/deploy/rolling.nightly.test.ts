import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createEmptyDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { findFreePort } from '../free-port.ts'
import { hasNginx, startNginx } from './nginx.ts'
import { buildCommit, previousCommit } from './previous-build.ts'
import { publicHost as host, type Process, startCommand as start } from './service-command.ts'

async function startProxy(ports: readonly [number, number]): Promise<number> {
  const proxy = await startNginx(ports)
  await vi.waitFor(async () => expect(await call(proxy, 'GET', '/openapi.json')).toMatchObject({ status: 200 }), 20_000)
  return proxy
}

const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false })

function call(
  port: number,
  method: string,
  path: string,
  options: { key?: string; body?: object } = {},
): Promise<{ status: number; text: string }> {
  const { key, body } = options
  const headers = {
    host,
    ...(key && { authorization: `ApiKey ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', servername: host, port, method, path, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}

async function addWorkflow(proxy: number, key: string): Promise<void> {
  const steps = [{ stepId: 'in', name: 'In', type: 'in_app', controlValues: { body: 'b' } }]
  const body = { name: 'W', workflowId: 'w', active: true, steps }
  const response = await call(proxy, 'POST', '/v2/workflows', { key, body })
  expect([response.status, response.text]).toEqual([201, expect.anything()])
}

/** Triggers from four clients at a time. */
function startStream(proxy: number, key: string) {
  let isOver = false
  const statuses: number[] = []
  const trigger = async (worker: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const body = { name: 'w', to: `s${worker}`, payload: {}, transactionId: `t-${worker}-${count}` }
      const { status } = await call(proxy, 'POST', '/v1/events/trigger', { key, body })
      statuses.push(status)
      await sleep(20)
    }
  }
  const workers = Promise.all([1, 2, 3, 4].map(trigger))
  return {
    /** Waits for more answers. */
    async continues(): Promise<void> {
      const before = statuses.length
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(before + 20), 30_000)
    },
    /** Ends it, and returns the statuses of all answers. */
    async end(): Promise<readonly number[]> {
      isOver = true
      await workers
      return statuses
    },
  }
}

describe.skipIf(!hasNginx && !process.env['CI'])('two processes on PostgreSQL behind nginx', () => {
  test('restart one after the other without a failed request', { timeout: 240_000 }, async (context) => {
    const { address } = await createEmptyDatabase('postgres', context)
    const env = { DATABASE_URL: address.databaseUrl ?? '' }
    const ports = [await findFreePort(), await findFreePort()] as const
    const first = await start(ports[0], env)
    const second = await start(ports[1], env)
    expect(second.keys).toEqual([])
    const [key = ''] = first.keys
    const proxy = await startProxy(ports)
    for (const path of ['/metrics', '/health']) expect((await call(proxy, 'GET', path, { key })).status).toBe(404)
    await addWorkflow(proxy, key)
    const stream = startStream(proxy, key)
    const restart = async (process: Process): Promise<Process> => {
      await stream.continues()
      expect(await process.stop()).toBe(0)
      return start(process.port, env)
    }
    const running = [await restart(first), await restart(second)]
    await stream.continues()
    const statuses = await stream.end()
    expect(statuses.filter((status) => status !== 201)).toEqual([])
    await vi.waitFor(async () => {
      const { text } = await call(proxy, 'GET', '/v1/notifications?limit=1', { key })
      expect(JSON.parse(text)).toMatchObject({ data: [{ status: 'completed' }] })
    }, 30_000)
    for (const process of running) expect(await process.stop()).toBe(0)
  })

  test.skipIf(previousCommit === undefined)(
    'are upgraded from an earlier commit without a failed request',
    { timeout: 600_000 },
    async (context) => {
      const command = buildCommit(previousCommit ?? '')
      const { address } = await createEmptyDatabase('postgres', context)
      const env = { DATABASE_URL: address.databaseUrl ?? '' }
      const ports = [await findFreePort(), await findFreePort()] as const
      const old = await start(ports[0], env, command)
      const [key = ''] = old.keys
      const proxy = await startProxy(ports)
      await addWorkflow(proxy, key)
      const stream = startStream(proxy, key)
      await stream.continues()
      const upgraded = await start(ports[1], env)
      await stream.continues()
      expect(await old.stop()).toBe(0)
      await stream.continues()
      const statuses = await stream.end()
      expect(statuses.filter((status) => status !== 201)).toEqual([])
      await vi.waitFor(async () => {
        const { text } = await call(proxy, 'GET', '/v1/studio/run-counts', { key })
        expect(JSON.parse(text)).toMatchObject({ completed: statuses.length, running: 0, failed: 0 })
      }, 60_000)
      expect(await upgraded.stop()).toBe(0)
    },
  )
})
