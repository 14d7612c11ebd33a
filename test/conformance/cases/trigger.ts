import { beforeEach, describe, expect, test } from 'vitest'
import { startFakeApi } from '../fake-api.ts'
import { workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const api = await startFakeApi()
const { received } = api
const apiUrl = `${api.origin}/`

/** `trigger`: protocol 1, 4 and 6. */
export function trigger(mount: Mount): void {
  describe('trigger', () => {
    beforeEach(() => {
      received.length = 0
      api.answer = { status: 201, body: '{"data":{"acknowledged":true,"transactionId":"t"}}' }
    })

    const site = useSite(mount, { workflows, apiUrl, secretKey: ['newer', 'older'], timeoutMs: 4000 })
    const keyless = useSite(mount, { workflows, apiUrl, secretKey: '', strictAuthentication: false })
    const misled = useSite(mount, { workflows, apiUrl: 'not a URL', secretKey: 'newer' })
    const hasty = useSite(mount, { workflows, apiUrl, secretKey: 'newer', timeoutMs: 500 })
    const nowhere = useSite(mount, { workflows, apiUrl: 'http://127.0.0.1:1', secretKey: 'newer' })
    const query = { action: 'trigger', workflowId: 'order' }
    const body = {
      to: { subscriberId: 'ada' },
      payload: { id: '7' },
      transactionId: 't',
      overrides: { a: {} },
      actor: 'bob',
      context: { c: {} },
    }
    const send = (extra: object = {}) => site.call({ query, body: { ...body, ...extra }, key: 'older' })

    test('is forwarded with the id from the query and the first secret, and the response is returned', async () => {
      const { status, json } = await send({ name: 'another', workflowId: 'another' })
      expect([status, json]).toEqual([200, { data: { acknowledged: true, transactionId: 't' } }])
      expect(received).toEqual([
        { url: '/v1/events/trigger', method: 'POST', authorization: 'ApiKey newer', body: { ...body, name: 'order' } },
      ])
    })

    test.each([['ada'], [{ type: 'Topic', topicKey: 'k' }], [['ada', { subscriberId: 'bob' }]]])(
      'accepts %j as a recipient',
      async (to) => {
        expect((await send({ to })).status).toBe(200)
        expect(received[0]?.body).toMatchObject({ to })
      },
    )

    test.each([
      ['missing', undefined],
      ['null', null],
      ['an empty text', ''],
      ['a number', 5],
      ['true', true],
      ['an empty object', {}],
      ['a subscriber without a name', { subscriberId: '' }],
      ['an empty list', []],
      ['a list with nothing in it', [null]],
      ['a list in a list', [['ada']]],
    ])('rejects the recipient %s: RequestBodyInvalidError, and sends nothing', async (_title, to) => {
      const { status, json } = await send({ to })
      expect([status, json.code, json.data[0].path]).toEqual([400, 'RequestBodyInvalidError', '/to'])
      expect(received).toEqual([])
    })

    test.each([
      ['transactionId', 7],
      ['overrides', 'text'],
      ['context', []],
    ])('rejects %s %j: RequestBodyInvalidError with its path', async (part, value) => {
      const { status, json } = await send({ [part]: value })
      expect([status, json.code, json.data[0].path]).toEqual([400, 'RequestBodyInvalidError', `/${part}`])
      expect(received).toEqual([])
    })

    test('sends nothing for an unknown workflow or an invalid payload', async () => {
      expect((await site.call({ query: { ...query, workflowId: 'x' }, body, key: 'newer' })).json.code).toBe(
        'WorkflowNotFoundError',
      )
      expect((await send({ payload: { id: 7 } })).json.code).toBe('WorkflowPayloadInvalidError')
      expect(received).toEqual([])
    })

    test.each([
      [400, '{"message":"bad"}', 400],
      [401, '{"message":"bad"}', 401],
      [429, 'API rate limit exceeded', 429],
      [500, '{"message":"bad"}', 502],
      [302, '', 502],
      [200, 'not JSON', 502],
    ])('forwards the API’s response %i %j: %i', async (apiStatus, apiBody, expected) => {
      api.answer = { status: apiStatus, body: apiBody }
      const { status, json, text } = await send()
      expect([status, json.code]).toEqual([expected, 'ApiRequestFailedError'])
      expect(json.data).toEqual({ statusCode: expect.any(Number), message: expect.any(String) })
      expect(text).not.toContain('newer')
      expect(received).toHaveLength(1)
    })

    test('reports an API that does not respond or cannot be reached', async () => {
      api.answer = { status: 0, body: '' }
      const silent = await hasty.call({ query, body, key: 'newer' })
      expect([silent.status, silent.json.code]).toEqual([502, 'ApiRequestFailedError'])
      const closed = await nowhere.call({ query, body, key: 'newer' })
      expect([closed.status, closed.json.code]).toEqual([502, 'ApiRequestFailedError'])
      const wrong = await misled.call({ query, body, key: 'newer' })
      expect([wrong.status, wrong.json.code]).toEqual([502, 'ApiRequestFailedError'])
    })

    test('fails without a secret: MissingSecretKeyError', async () => {
      const { status, json } = await keyless.call({ query, body, signature: null })
      expect([status, json.code, json.data]).toEqual([400, 'MissingSecretKeyError', null])
      expect(received).toEqual([])
    })
  })
}
