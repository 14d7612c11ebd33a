import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type DevSession, startDev } from '@trestle/cli'
import { workflow } from '@trestle/core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { bridgeHandler, type Listening, listen } from './listen.ts'
import { bin, trestle } from './trestle.ts'

const order = workflow(
  'order',
  async ({ step, payload }) => {
    await step.inApp('inbox', () => ({ body: `Order ${payload.id}` }))
    await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
    await step.sms('sms', ({ text }) => ({ body: `${text} ${payload.id}` }), {
      controlSchema: z.object({ text: z.string().default('Order') }),
    })
  },
  { payloadSchema: z.object({ id: z.string() }) },
)
const cwd = mkdtempSync(join(tmpdir(), 'trestle-mcp-'))
let bridge: Listening
let session: DevSession
let client: Client

beforeAll(async () => {
  bridge = await listen(bridgeHandler({ workflows: [order], strictAuthentication: false }))
  session = await startDev({ port: 0, bridgeUrl: `${bridge.origin}/api/bridge`, cwd, env: {} })
  await session.ready
  client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `ApiKey ${session.service.key}` } }
  const url = new URL(`${session.service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never)
}, 30_000)
afterAll(async () => {
  await client.close()
  await session.stop()
  await bridge.stop()
})

const call = async (name: string, input: Record<string, unknown> = {}) => {
  const { isError = false, content } = await client.callTool({ name, arguments: input })
  return { isError, result: JSON.parse((content as { text: string }[])[0]?.text ?? '') as Record<string, never> }
}

describe('the tools for agents', () => {
  test('are listed', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('list_workflows')
    expect(client.getServerVersion()?.name).toBe('trestle')
    await client.ping()
  })

  test('list the workflows with payload schemas and steps', async () => {
    const { result } = await call('list_workflows')
    expect(result).toMatchObject({
      workflows: [
        {
          workflowId: 'order',
          payloadSchema: { required: ['id'] },
          steps: [
            { stepId: 'inbox' },
            { stepId: 'wait' },
            { stepId: 'sms', controlSchema: { properties: { text: {} } } },
          ],
        },
      ],
    })
  })

  test('exist in all supported versions of the protocol, and for calls that specify none', async () => {
    const ask = async (version?: string) => {
      const headers = {
        authorization: `ApiKey ${session.service.key}`,
        'content-type': 'application/json',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
      const reply = await fetch(`${session.service.url}/mcp`, { method: 'POST', headers, body })
      return [reply.status, await reply.json()]
    }
    const pong = [200, { jsonrpc: '2.0', id: 1, result: {} }]
    for (const version of [undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
      expect(await ask(version), version).toEqual(pong)
    for (const version of ['1900-01-01', '', '2025-06-18, 2025-06-18', 'x'])
      expect(await ask(version), version).toEqual([
        400,
        { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('2025-11-25') } },
      ])
  })

  test('preview a step, with payload and controls', async () => {
    const { result } = await call('preview_step', {
      workflowId: 'order',
      stepId: 'sms',
      payload: { id: '7' },
      controls: { text: 'Parcel' },
    })
    expect(result).toMatchObject({ outputs: { body: 'Parcel 7' } })
  })

  test('run a workflow to its end with shortened waits', async () => {
    const { result, isError } = await call('run_workflow', { workflowId: 'order', payload: { id: '7' }, to: 'grace' })
    expect(result).toMatchObject({ runs: [{ status: 'completed' }] })
    expect(JSON.stringify(result)).toContain('sms')
    expect(isError).toBe(false)
  })

  test('diagnose the bridge as the command does', async () => {
    const { result } = await call('doctor')
    const { stdout } = await trestle([
      'doctor',
      `${bridge.origin}/api/bridge`,
      '--json',
      '--environment',
      'Development',
    ])
    const stable = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(/"durationMs":\d+/g, '"durationMs":0'))
    expect(stable(result)).toEqual(stable(JSON.parse(stdout)))
  })

  test('compare with the lock file', async () => {
    expect(await call('diff')).toMatchObject({
      isError: true,
      result: { error: { fix: expect.stringContaining('--write') } },
    })
    await trestle(['diff', '--write', '--bridge', `${bridge.origin}/api/bridge`], { cwd })
    expect(await call('diff')).toMatchObject({ isError: false, result: { breaking: false, changes: [] } })
    expect(await call('diff', { lock: '../elsewhere.json' })).toMatchObject({ isError: true })
  })

  test.each([
    ['preview_step', { workflowId: 'ordr', stepId: 'sms' }, 'WorkflowNotFoundError'],
    ['preview_step', { workflowId: 'order', stepId: 'sms', payload: { id: 7 } }, 'WorkflowPayloadInvalidError'],
    ['preview_step', { workflowId: 'order' }, '`stepId` is missing'],
    ['preview_step', { workflowId: 'order', stepId: 'sms', payload: 7 }, '`payload` must be an object'],
    ['run_workflow', { workflowId: 'ordr' }, 'ValidationFailed'],
  ])('report the error of a call of %s %j', async (name, input, said) => {
    const { isError, result } = await call(name, input)
    expect(isError).toBe(true)
    expect(JSON.stringify(result)).toContain(said)
  })

  test('reject unknown names', async () => {
    await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('Unknown tool')
  })
})

/** A raw call, as a web page or another program makes it. */
function raw(options: {
  method?: string
  headers?: Record<string, string>
  body?: string
}): Promise<{ status: number; text: string }> {
  const own = { authorization: `ApiKey ${session.service.key}`, 'content-type': 'application/json' }
  const { method = 'POST', headers = {}, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } = options
  return new Promise((resolve, reject) => {
    const outgoing = request(`${session.service.url}/mcp`, { method, headers: { ...own, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? body : undefined)
  })
}

describe('the endpoint', () => {
  test('responds to a plain call', async () => {
    expect((await raw({})).status).toBe(200)
  })

  test('rejects calls without the key', async () => {
    for (const authorization of ['', 'ApiKey sk_wrong_0123456789', `Bearer ${session.service.key}`])
      expect((await raw({ headers: { authorization } })).status, authorization).toBe(401)
  })

  test.each([
    ['another host', { host: 'evil.example' }],
    ['another host with its port', { host: 'evil.example:3737' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('rejects %s', async (_what, headers) => {
    const { status, text } = await raw({ headers })
    expect(status).toBe(403)
    expect(text).not.toContain('list_workflows')
  })

  test.each([
    ['GET, because it never sends messages on its own', { method: 'GET' }, 405],
    ['DELETE, since there are no sessions', { method: 'DELETE' }, 405],
    ['what is not JSON', { body: '{' }, 400],
    ['what is not UTF-8 JSON', { body: '\u0000' }, 400],
    ['a list of messages', { body: '[]' }, 400],
    ['another version', { body: '{"jsonrpc":"1.0","id":1,"method":"ping"}' }, 400],
    ['an id that is an object', { body: '{"jsonrpc":"2.0","id":{},"method":"ping"}' }, 400],
    ['a form, which any page may send', { headers: { 'content-type': 'text/plain' } }, 415],
    ['a body beyond four mebibytes', { body: ' '.repeat(4 * 1024 * 1024 + 1) }, 413],
  ])('rejects %s', async (_what, options, status) => {
    expect((await raw(options)).status).toBe(status)
  })

  test('accepts notifications, and returns a protocol error for unknown methods', async () => {
    expect(await raw({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' })).toEqual({
      status: 202,
      text: '',
    })
    const { status, text } = await raw({ body: '{"jsonrpc":"2.0","id":7,"method":"resources/list"}' })
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 7, error: { code: -32601, message: expect.any(String) } },
    ])
  })
})

describe('trestle mcp', () => {
  test('provides the same tools over stdio, and finds the key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-mcp-stdio-'))
    const { url: apiUrl, key } = session.service
    const file = join(folder, '.trestle/session.json')
    mkdirSync(join(folder, '.trestle'))
    const tell = () => writeFileSync(file, JSON.stringify({ apiUrl, key, pid: process.pid }), { mode: 0o600 })
    tell()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const stdio = new Client({ name: 'test', version: '1.0.0' })
    await stdio.connect(
      new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], cwd: folder }) as never,
    )
    onTestFinished(() => stdio.close())
    const { tools } = await stdio.listTools()
    expect(tools.map(({ name }) => name)).toContain('run_workflow')
    const { structuredContent } = await stdio.callTool({ name: 'list_workflows', arguments: {} })
    expect(structuredContent).toMatchObject({ workflows: [{ workflowId: 'order' }] })
    // It looks up the service for each call, and suggests a fix if there is none.
    rmSync(file)
    await expect(stdio.ping()).rejects.toThrow(/trestle dev is not running in this folder/)
    tell()
    await stdio.ping()
  })
})
