import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import type { Answer, Call } from '../call.ts'
import { echoQuery, event, stored, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const { version } = createRequire(import.meta.url)('@trestle/core/package.json') as { version: string }

const calls: readonly [title: string, call: Call, named: boolean][] = [
  ['a health check', { signature: null }, false],
  ['a signed health check', { query: { action: 'health-check' } }, true],
  ['OPTIONS', { method: 'OPTIONS', signature: null }, false],
  ['discover', { query: { action: 'discover' } }, true],
  ['execute', { query: echoQuery, body: event }, true],
  ['preview', { query: { ...echoQuery, action: 'preview' }, body: event }, true],
  ['a failure of a signed call', { query: { ...echoQuery, workflowId: 'nobody' }, body: event }, true],
  ['an unsigned call', { query: echoQuery, body: event, signature: null }, false],
  ['a wrongly signed call', { query: echoQuery, body: event, key: 'wrong' }, false],
  ['an unknown method', { method: 'DELETE', signature: null }, false],
]

function expectDressed({ headers }: Answer): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-content-type-options']).toBe('nosniff')
}

/** The response format: protocol 4 and 6. */
export function replies(mount: Mount): void {
  describe('replies', () => {
    const site = useSite(mount, { workflows })

    test.each(calls)('%s has its headers', async (_title, call, named) => {
      const answer = await site.call({ ...call, headers: { origin: 'https://example.com' } })
      expectDressed(answer)
      expect(answer.json).toBeTypeOf('object')
      expect(answer.headers['service-framework']).toBe(named ? 'trestle' : undefined)
      expect(answer.headers['service-framework-version']).toBe(named ? version : undefined)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      if (answer.headers['content-length'])
        expect(answer.headers['content-length']).toBe(`${Buffer.byteLength(answer.text)}`)
    })

    test('a failure contains code, message and data, and nothing else', async () => {
      const { json } = await site.call({ query: { ...echoQuery, workflowId: 'nobody' }, body: event })
      expect(json).toEqual({ code: 'WorkflowNotFoundError', message: expect.stringContaining('nobody'), data: null })
    })

    test('execute returns outputs, providers, options and metadata', async () => {
      const query = { action: 'execute', workflowId: 'order', stepId: 'mail' }
      const unread = { seen: true, read: false, lastSeenDate: null, lastReadDate: null }
      const state = [stored('wait', { duration: 3_600_000 }), stored('inbox', unread)]
      const { status, json } = await site.call({ query, body: { payload: { id: '7' }, state } })
      expect(status).toBe(200)
      expect(json).toEqual({
        outputs: { subject: 'Order 7', body: '<p>Order 7</p>' },
        providers: { sendgrid: { ipPoolName: 'Order 7' } },
        options: { skip: false },
        metadata: { status: 'success', error: false, duration: expect.any(Number) },
      })
    })

    test('a skipped step returns empty outputs', async () => {
      const query = { action: 'execute', workflowId: 'order', stepId: 'mail' }
      const read = { seen: true, read: true, lastSeenDate: null, lastReadDate: null }
      const state = [stored('wait', { duration: 1 }), stored('inbox', read)]
      const { json } = await site.call({ query, body: { payload: { id: '7' }, state } })
      expect(json).toMatchObject({ outputs: {}, providers: {}, options: { skip: true } })
    })

    test('an agent event is not acknowledged if there are no agents', async () => {
      const { status, json } = await site.call({
        query: { action: 'agent-event', agentId: 'a', event: 'message' },
        body: {},
      })
      expect([status, json.code, json.data]).toEqual([404, 'AgentNotFoundError', null])
    })
  })

  describe('health check', () => {
    const site = useSite(mount, { workflows })
    const loose = useSite(mount, { workflows, strictAuthentication: false })
    const details = { sdkVersion: version, frameworkVersion: expect.any(String), discovered: expect.any(Object) }

    test.each([
      ['no signature', { signature: null }],
      ['a wrong one', { key: 'wrong' }],
      ['an expired one', { nowMs: 1 }],
      ['a malformed one', { signature: 'x' }],
    ])('reveals only its status to unsigned callers: %s', async (_title, call) => {
      expect((await site.call({ query: { action: 'health-check' }, ...call })).json).toEqual({ status: 'ok' })
    })

    test('returns versions and counts to a signed caller', async () => {
      const { json } = await site.call({ query: { action: 'health-check' } })
      expect(json).toEqual({ status: 'ok', ...details })
      expect(json.discovered.workflows).toBe(workflows.length)
    })

    test('returns versions and counts to unsigned callers if signatures are not required', async () => {
      expect((await loose.call({ signature: null })).json).toEqual({ status: 'ok', ...details })
    })

    test('counts the discovered steps', async () => {
      await site.call({ query: { action: 'discover' } })
      const { json } = await site.call({})
      expect(json.discovered).toEqual({ workflows: 4, steps: 1 + 3 + 3 + 11 })
    })
  })
}
