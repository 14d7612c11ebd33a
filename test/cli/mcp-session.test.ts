import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type DevSession, startDev } from '@trestle/cli'
import { type Workflow, workflow } from '@trestle/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bridgeHandler, type Listening, listen } from './listen.ts'

const payloadSchema = z.object({ id: z.string() })
const welcome = workflow(
  'welcome',
  async ({ step, payload }) => {
    await step.inApp('hello', () => ({ subject: 'Hello', body: `Order ${payload.id} is here` }))
  },
  { payloadSchema },
)
/** The first version of an agent's code, with a mistake. */
const draft = workflow(
  'invoice',
  async ({ step, payload }) => {
    await step.email('mail', () => ({
      subject: `Invoice ${(payload as { id: { code: string } }).id.code.length}`,
      body: '<p>x</p>',
    }))
  },
  { payloadSchema: z.object({ id: z.any() }) },
)
const fixed = workflow(
  'invoice',
  async ({ step, payload }) => {
    await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
    await step.email('mail', () => ({ subject: `Invoice ${payload.id}`, body: `<p>Invoice <b>${payload.id}</b></p>` }))
    await step.sms('text', () => ({ body: `Invoice ${payload.id}` }))
  },
  { payloadSchema },
)

const cwd = mkdtempSync(join(tmpdir(), 'trestle-mcp-session-'))
let app: RequestListener
let bridge: Listening
let session: DevSession
let client: Client

const serveWorkflows = (workflows: readonly Workflow[]): void => {
  app = bridgeHandler({ workflows, strictAuthentication: false })
}

beforeAll(async () => {
  serveWorkflows([welcome])
  bridge = await listen((request, response) => app(request, response))
  // It only syncs at the start, so that each later sync was requested by the client.
  const pollMs = 3_600_000
  session = await startDev({ port: 0, bridgeUrl: `${bridge.origin}/api/bridge`, cwd, env: {}, pollMs })
  await session.ready
  client = new Client({ name: 'agent', version: '1.0.0' })
  const requestInit = { headers: { authorization: `ApiKey ${session.service.key}` } }
  const url = new URL(`${session.service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never)
}, 30_000)
afterAll(async () => {
  await client.close()
  await session.stop()
  await bridge.stop()
  rmSync(cwd, { recursive: true, force: true })
})

/** After listing the tools, the client checks each result against the output schema of its tool. */
const call = async (name: string, input: Record<string, unknown> = {}) => {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
  const text = (content as { text: string }[])[0]?.text ?? ''
  expect(isError, text).toBeUndefined()
  expect(JSON.parse(text)).toEqual(structuredContent)
  return structuredContent as Record<string, never>
}
const fail = async (name: string, input: Record<string, unknown> = {}) => {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
  expect([isError, structuredContent]).toEqual([true, undefined])
  return JSON.parse((content as { text: string }[])[0]?.text ?? '').error
}

describe('a coding agent with the official client', () => {
  test('finds tools with schemas and annotations', async () => {
    const { tools } = await client.listTools()
    const hints = Object.fromEntries(
      tools.map(({ name, annotations: { title: _title, ...rest } = {} }) => [
        name,
        Object.entries(rest).flatMap(([hint, is]) => (is ? [hint] : [])),
      ]),
    )
    const calls = ['readOnlyHint', 'idempotentHint', 'openWorldHint']
    const reads = ['readOnlyHint', 'idempotentHint']
    expect(hints).toEqual({
      search_docs: reads,
      list_workflows: calls,
      sync: ['destructiveHint', 'idempotentHint', 'openWorldHint'],
      preview_step: calls,
      doctor: calls,
      diff: calls,
      run_workflow: ['openWorldHint'],
      list_runs: reads,
      show_run: reads,
      list_outbox: reads,
      read_inbox: reads,
    })
    for (const tool of tools) {
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(tool.annotations ?? {}), tool.name).toHaveLength(5)
    }
    expect(client.getInstructions()).toContain('search_docs')
  })

  test('searches the documentation for a guide and an error code', async () => {
    const guide = await call('search_docs', { query: 'step.email controlSchema', limit: 3 })
    expect(guide['sections']).toHaveLength(3)
    expect(JSON.stringify(guide)).toContain('controlSchema')
    const { sections } = await call('search_docs', { query: 'WorkflowPayloadInvalidError', limit: 1 })
    expect(sections).toMatchObject([{ page: 'packages/docs/errors.md', text: expect.stringContaining('What to do') }])
    expect(await call('search_docs', { query: 'xyzzyplugh' })).toEqual({ sections: [] })
  })

  test('writes a workflow, syncs it, sees its error, fixes it, runs it and reads the rendered email', async () => {
    serveWorkflows([welcome, draft])
    expect(await call('sync')).toMatchObject({
      workflowIds: ['welcome', 'invoice'],
      changes: [{ workflowId: 'invoice' }],
    })
    const to = { subscriberId: 'grace', email: 'grace@example.com' }
    const failed = await call('run_workflow', { workflowId: 'invoice', payload: { id: 7 }, to })
    expect(failed['runs']).toMatchObject([
      {
        status: 'failed',
        steps: [
          {
            stepId: 'mail',
            rendered: null,
            error: { code: 'StepExecutionFailedError', fix: expect.stringMatching(/\w/) },
          },
        ],
      },
    ])

    serveWorkflows([welcome, fixed])
    expect(await call('sync')).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ stepId: 'wait' })]),
    })
    expect(await call('sync')).toMatchObject({ changes: [] })
    const preview = await call('preview_step', { workflowId: 'invoice', stepId: 'mail', payload: { id: '7' } })
    expect(preview['outputs']).toEqual({ subject: 'Invoice 7', body: '<p>Invoice <b>7</b></p>' })

    const { runs, transactionId } = await call('run_workflow', { workflowId: 'invoice', payload: { id: '7' }, to })
    const mail = { to: 'grace@example.com', subject: 'Invoice 7', html: '<p>Invoice <b>7</b></p>' }
    expect(runs).toMatchObject([
      {
        status: 'completed',
        steps: [
          { stepId: 'wait', status: 'completed' },
          { stepId: 'mail', rendered: { subject: 'Invoice 7' }, error: null },
          { stepId: 'text', rendered: { body: 'Invoice 7' } },
        ],
        messages: [
          { stepId: 'mail', channel: 'email', to: 'grace@example.com', rendered: mail, error: null },
          { stepId: 'text', channel: 'sms', error: { code: 'subscriber_phone_missing' } },
        ],
      },
    ])

    const history = await call('list_runs', { workflowId: 'invoice' })
    expect(history).toMatchObject({
      total: 2,
      next: null,
      runs: [{ transactionId, status: 'completed' }, { status: 'failed' }],
    })
    expect(await call('list_runs', { status: 'failed' })).toMatchObject({ total: 1 })
    const first = await call('list_runs', { limit: 1 })
    expect(await call('list_runs', { limit: 1, after: first['next'] })).toMatchObject({ runs: [{ status: 'failed' }] })
    const [{ runId } = { runId: '' }] = history['runs'] as unknown as { runId: string }[]
    const run = await call('show_run', { runId })
    expect([run]).toEqual(runs)
    expect(run['history']).toEqual(
      expect.arrayContaining([expect.objectContaining({ stepId: 'mail', detail: 'Message kept in the outbox' })]),
    )
    expect(await call('list_outbox', { transactionId })).toMatchObject({
      total: 1,
      messages: [{ runId, content: mail }],
    })
    expect(await call('list_outbox', { channel: 'sms' })).toMatchObject({ total: 0, messages: [] })
  })

  test('reads the inbox of a subscriber', async () => {
    await call('run_workflow', { workflowId: 'welcome', payload: { id: '1' }, to: 'grace' })
    expect(await call('read_inbox', { subscriberId: 'grace' })).toMatchObject({
      hasMore: false,
      messages: [{ workflowId: 'welcome', subject: 'Hello', body: 'Order 1 is here', isRead: false }],
    })
  })

  test('sends mail to an address without naming a recipient', async () => {
    const { runs } = await call('run_workflow', { workflowId: 'invoice', payload: { id: '8' } })
    expect(runs).toMatchObject([{ messages: [{ to: 'ada@example.com', error: null }, { error: null }] }])
  })

  test('is informed about truncated parts of a large result', async () => {
    const id = 'x'.repeat(200_000)
    const { runs, shortened } = await call('run_workflow', { workflowId: 'welcome', payload: { id }, to: 'grace' })
    expect(JSON.stringify(runs).length).toBeLessThan(120_000)
    expect(shortened).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/runs\/0\/payload\/id: the first 4000 of 200000/)]),
    )
  })

  test.each([
    ['run_workflow', { workflow: 'welcome' }, 'Unknown argument "workflow".', 'Did you mean `workflowId`?'],
    ['run_workflow', {}, 'The argument `workflowId` is missing. It must be a string of 1 to 500 characters.', null],
    ['list_runs', { limit: 101 }, 'The argument `limit` must be an integer from 1 to 100.', null],
    ['list_runs', { status: 'done' }, /^The argument `status` must be one of running, /, null],
    ['search_docs', { query: 'x'.repeat(501) }, 'The argument `query` must be a string of 1 to 500 characters.', null],
    [
      'list_workflows',
      { workflowId: 'welcom' },
      'The workflow "welcom" does not exist. Did you mean welcome?',
      /^Available: welcome/,
    ],
    ['show_run', { runId: 'nope' }, /404/, /./],
    ['read_inbox', { subscriberId: '__proto__' }, /404/, /./],
    ['sync', { __proto__: null, constructor: 1 }, 'Unknown argument "constructor".', 'Arguments: none.'],
  ])('receives the reason for a failed call of %s %j', async (name, input, message, fix) => {
    const error = await fail(name, input)
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(error.fix).toEqual(fix instanceof RegExp ? expect.stringMatching(fix) : fix)
  })
})
