import { type BridgeClientOptions, createBridgeClient } from '@trestle/bridge-client'
import { describe, expect, test } from 'vitest'
import { secret } from '../call.ts'
import { workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { type Site, useSite } from '../site.ts'

const otherHeader = 'another-signature'

/** The service's bridge client against the bridge: the bridge accepts what the client signs. */
export function clients(mount: Mount): void {
  describe('called by the bridge client', () => {
    const site = useSite(mount, { workflows, strictAuthentication: true })
    const keyless = useSite(mount, { workflows, strictAuthentication: true, secretKey: '' })
    const renamed = useSite(mount, { workflows, strictAuthentication: true, signatureHeader: otherHeader })
    const clientOf = (called: Site, options: Partial<BridgeClientOptions> = {}) =>
      createBridgeClient({
        secretKey: secret,
        bridgeUrl: called.url,
        environmentName: 'Development',
        allow: ['127.0.0.0/8'],
        logger: { warn: () => undefined },
        ...options,
      })
    const event = { payload: { id: 'é 1.0 "quoted"' }, subscriber: { subscriberId: 'ada' } }
    const state = [
      { stepId: 'wait', outputs: { duration: 1 }, state: { status: 'completed' } },
      {
        stepId: 'inbox',
        outputs: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
        state: { status: 'completed' },
      },
    ]

    test('responds to discover, health-check, preview and execute', async () => {
      const client = clientOf(site)
      expect((await client.discover()).workflows.map(({ workflowId }) => workflowId)).toContain('order')
      expect(await client.healthCheck()).toMatchObject({ status: 'ok' })
      const call = { workflowId: 'order', stepId: 'mail', event: { ...event, state } }
      const { outputs, options } = await client.execute(call)
      expect([outputs, options]).toEqual([
        { subject: 'Order é 1.0 "quoted"', body: '<p>Order é 1.0 "quoted"</p>' },
        { skip: false },
      ])
      expect((await client.preview(call)).outputs).toEqual(outputs)
    })

    test('answers sync', async () => {
      expect((await clientOf(site).sync()).workflows.length).toBe(workflows.length)
    })

    test('returns an error of the bridge unchanged', async () => {
      const client = clientOf(site)
      await expect(client.execute({ workflowId: 'nope', stepId: 'x', event })).rejects.toMatchObject({
        code: 'WorkflowNotFoundError',
        status: 404,
      })
      await expect(client.execute({ workflowId: 'order', stepId: 'mail', event })).rejects.toMatchObject({
        code: 'ExecutionStateCorruptError',
        status: 400,
        data: { workflowId: 'order', stepId: 'inbox' },
      })
      await expect(client.agentEvent({ agentId: 'a', event: 'onMessage', body: {} })).rejects.toMatchObject({
        code: 'AgentNotFoundError',
        status: 404,
      })
    })

    test.each<[string, () => Site, Partial<BridgeClientOptions>]>([
      ['SignatureNotFoundError', () => renamed, {}],
      ['SigningKeyNotFoundError', () => keyless, {}],
      ['SignatureInvalidError', () => site, { nowMs: () => Number.NaN }],
      ['SignatureExpiredError', () => site, { nowMs: () => Date.now() - 301_000 }],
      ['SignatureMismatchError', () => site, { secretKey: 'another' }],
    ])('returns %s unchanged', async (code, called, options) => {
      const client = clientOf(called(), options)
      await expect(client.discover()).rejects.toMatchObject({ code, status: 401 })
      await expect(client.execute({ workflowId: 'echo', stepId: 'tell', event })).rejects.toMatchObject({
        code,
        status: 401,
      })
    })

    test('supports a different header name on both sides', async () => {
      const client = clientOf(renamed, { signatureHeader: otherHeader })
      expect((await client.discover()).agents).toEqual([])
    })
  })
}
