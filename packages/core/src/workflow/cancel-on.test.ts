import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { askBridge, silent } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import { novu } from '../novu.ts'
import type { CancelOn } from './cancel-on.ts'
import { workflow } from './workflow.ts'

const discover = async (options: object, bridgeOptions: object = {}) => {
  const flow = workflow('flow', ({ step }) => step.custom('c', () => ({})), options)
  const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent, ...bridgeOptions })
  return (await askBridge(bridge, { action: 'discover' } as never)).body
}

describe('cancelOn', () => {
  test('is published as a list', async () => {
    const one = { event: 'order.canceled', match: { orderId: 'id' } }
    expect((await discover({ cancelOn: one })).workflows[0].cancelOn).toEqual([one])
    const more = [one, { event: 'all.canceled' }]
    expect((await discover({ cancelOn: more })).workflows[0].cancelOn).toEqual(more)
  })

  test.each([{}, { cancelOn: [] }, { cancelOn: undefined }])('is left out if there is none: %j', async (options) => {
    expect((await discover(options)).workflows[0]).not.toHaveProperty('cancelOn')
  })

  test.each<[string, unknown]>([
    ['a name', 'order.canceled'],
    ['an empty name', { event: '' }],
    ['a name with a line break', { event: 'a\nb' }],
    ['a name of 256 characters', { event: 'x'.repeat(256) }],
    ['an unknown field', { event: 'e', timeout: 1 }],
    ['match that is a list', { event: 'e', match: ['id'] }],
    ['a value instead of a field', { event: 'e', match: { id: 7 } }],
    ['11 fields', { event: 'e', match: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, 'f'])) }],
    ['11 events', Array.from({ length: 11 }, () => ({ event: 'e' }))],
  ])('rejects %s', (_what, cancelOn) => {
    expect(() => workflow('flow', () => undefined, { cancelOn } as never)).toThrow(
      'Workflow "flow": the option cancelOn must be { event, match? } or a list of up to 10',
    )
  })

  test('fails discovery for a service that runs the listed steps', async () => {
    const { code, message } = await discover({ cancelOn: { event: 'e' } }, { service: novu })
    expect(code).toBe('WorkflowDiscoveryFailedError')
    expect(message).toContain('Workflow "flow": the option cancelOn cancels runs on events.')
    expect(message).toContain('remove the option')
  })

  test('names fields of the payload', () => {
    const payloadSchema = z.object({ id: z.string(), shop: z.string().optional() })
    workflow('a', () => undefined, { payloadSchema, cancelOn: { event: 'e', match: { orderId: 'id', at: 'shop' } } })
    workflow('b', () => undefined, { payloadSchema, cancelOn: [{ event: 'e' }, { event: 'f', match: { a: 'id' } }] })
    workflow('c', () => undefined, { cancelOn: { event: 'e', match: { orderId: 'anything' } } })
    // @ts-expect-error The payload has no field with this name.
    workflow('d', () => undefined, { payloadSchema, cancelOn: { event: 'e', match: { orderId: 'order' } } })
    type Match = NonNullable<CancelOn<{ a: 1 } | { b: 2 }>['match']>
    expectTypeOf<Match[string]>().toEqualTypeOf<'a' | 'b'>()
  })
})
