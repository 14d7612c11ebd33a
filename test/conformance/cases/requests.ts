import { describe, expect, test } from 'vitest'
import { echoQuery, event, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'
import { parsesJson } from './check-order.ts'

function nested(levels: number): string {
  // The body's object and its payload are two of the allowed levels.
  return `{"payload":{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`
}

/** Bodies that are not JSON objects; a JSON parser in front of the bridge rejects them itself. */
const unreadable: readonly [rule: string, body: string | Uint8Array, text?: 'changed'][] = [
  ['empty', ''],
  ['not JSON', '{"payload":'],
  ['JSON with a tail', '{} {}'],
  ['single quotes', "{'payload':{}}"],
  ['a byte order mark in front', '\ufeff{}', 'changed'],
  ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'changed'],
  ['half a character', new Uint8Array([0x22, 0xe8, 0xaa, 0x22]), 'changed'],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['null', 'null'],
  ['a number', '5'],
  ['text', '"text"'],
  ['true', 'true'],
]

const misshapen: readonly [rule: string, body: unknown, paths: readonly string[]][] = [
  ['an array as body', [], ['']],
  ['controls text', { controls: 'x' }, ['/controls']],
  ['controls an array', { controls: [] }, ['/controls']],
  ['state an object', { state: {} }, ['/state']],
  ['state text', { state: 'x' }, ['/state']],
  ['subscriber a number', { subscriber: 1 }, ['/subscriber']],
  ['context true', { context: true }, ['/context']],
  ['env an array', { env: [] }, ['/env']],
  ['actor text', { actor: 'ada' }, ['/actor']],
  ['jobId a number', { jobId: 1 }, ['/jobId']],
  ['an entry of state text', { state: ['x'] }, ['/state/0']],
  [
    'an entry of state without stepId',
    { state: [{ outputs: {}, state: { status: 'completed' } }] },
    ['/state/0/stepId'],
  ],
  [
    'outputs in state text',
    { state: [{ stepId: 'a', outputs: 'x', state: { status: 'completed' } }] },
    ['/state/0/outputs'],
  ],
  [
    'a status that is a number',
    { state: [{ stepId: 'a', outputs: {}, state: { status: 1 } }] },
    ['/state/0/state/status'],
  ],
  ['several at once', { controls: 1, state: 2, subscriber: 3 }, ['/controls', '/state', '/subscriber']],
  ['101 levels', nested(101), ['']],
]

/** The limits of a call: protocol 1, and 2, row 8. */
export function requests(mount: Mount): void {
  describe('requests', () => {
    const site = useSite(mount, { workflows })
    const own = parsesJson(mount) ? [] : unreadable

    test.each(own)('rejects the body %s: RequestBodyInvalidError', async (_rule, body, text) => {
      const { status, json } = await site.call({ query: echoQuery, method: 'POST', body })
      // Invalid UTF-8 is changed if something in front of the bridge decodes it, so the signed bytes are lost.
      if (text === 'changed' && mount.body === 'text') return expect(json.code).toBe('SignatureMismatchError')
      expect([status, json.code]).toEqual([400, 'RequestBodyInvalidError'])
      expect(json.data).toEqual([{ path: '', message: expect.any(String) }])
    })

    test.each(misshapen)('rejects %s: RequestBodyInvalidError with its path', async (_rule, body, paths) => {
      const { status, json } = await site.call({ query: echoQuery, body })
      expect([status, json.code]).toEqual([400, 'RequestBodyInvalidError'])
      expect(json.data.map(({ path }: { path: string }) => path)).toEqual(paths)
    })

    test('reports at most 50 errors', async () => {
      const { json } = await site.call({ query: echoQuery, body: { state: Array.from({ length: 80 }, () => 1) } })
      expect(json.data).toHaveLength(50)
    })

    test('accepts 100 nesting levels', async () => {
      expect((await site.call({ query: echoQuery, body: nested(100) })).status).toBe(200)
    })

    test.each([
      ['missing', {}],
      [
        'null',
        {
          payload: null,
          controls: null,
          state: null,
          subscriber: null,
          context: null,
          env: null,
          actor: null,
          jobId: null,
        },
      ],
    ])('treats parts that are %s as {} and []', async (_rule, body) => {
      const { status, json } = await site.call({ query: echoQuery, body })
      expect(status).toBe(200)
      expect(json.outputs).toMatchObject({ payload: {}, controls: {}, subscriber: {}, context: {}, actor: null })
    })

    test.each([['text'], [5], [true], [[]]])(
      'rejects a payload of %j: WorkflowPayloadInvalidError',
      async (payload) => {
        for (const action of ['execute', 'preview']) {
          const { status, json } = await site.call({ query: { ...echoQuery, action }, body: { ...event, payload } })
          expect([status, json.code]).toEqual([400, 'WorkflowPayloadInvalidError'])
        }
      },
    )

    test('ignores unknown parameters', async () => {
      const query = { ...echoQuery, jobId: '1', environmentType: 'dev', constructor: 'x', __proto__x: 'y' }
      expect((await site.call({ query, body: event })).status).toBe(200)
    })

    test('uses the first of repeated parameters', async () => {
      const query = 'action=execute&action=discover&workflowId=echo&workflowId=nobody&stepId=tell&stepId=nobody'
      expect((await site.call({ query, body: event })).status).toBe(200)
      const twice = 'action=nonsense&action=execute&workflowId=echo&stepId=tell'
      expect((await site.call({ query: twice, body: event })).json.code).toBe('InvalidActionError')
    })

    test('does not accept a repeated action as a health check', async () => {
      const { status } = await site.call({ query: 'action=discover&action=health-check', signature: null })
      expect(status).toBe(401)
    })

    test('ignores ids and action in the body', async () => {
      const body = { ...event, action: 'discover', workflowId: 'nobody', stepId: 'nobody' }
      expect((await site.call({ query: echoQuery, body })).status).toBe(200)
      const { json } = await site.call({
        query: { action: 'execute' },
        body: { ...event, workflowId: 'echo', stepId: 'tell' },
      })
      expect(json.code).toBe('WorkflowNotFoundError')
    })

    test('decodes an encoded query', async () => {
      const query = 'action=%65xecute&workflowId=ech%6F&stepId=tell'
      expect((await site.call({ query, body: event })).status).toBe(200)
    })

    test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
      'finds neither a workflow, a step nor an agent for %s',
      async (id) => {
        const none = await site.call({ query: { ...echoQuery, workflowId: id }, body: event })
        expect([none.status, none.json.code]).toEqual([404, 'WorkflowNotFoundError'])
        const step = await site.call({ query: { ...echoQuery, stepId: id }, body: event })
        expect([step.status, step.json.code]).toEqual([404, 'StepNotFoundError'])
        const agent = await site.call({ query: { action: 'agent-event', agentId: id, event: 'x' }, body: {} })
        expect([agent.status, agent.json.code]).toEqual([404, 'AgentNotFoundError'])
      },
    )

    test('treats inherited names as ordinary data', async () => {
      const body =
        '{"payload":{"__proto__":{"admin":true},"toString":1},"env":{"constructor":"x"},"context":{"__proto__":{"id":"i"}}}'
      const { status, json } = await site.call({ query: echoQuery, body })
      expect(status).toBe(200)
      expect(JSON.stringify(json.outputs.payload)).toBe('{"__proto__":{"admin":true},"toString":1}')
      expect(JSON.stringify(json.outputs.env)).toContain('"constructor":"x"')
      expect(Object.hasOwn({}, 'admin')).toBe(false)
    })

    test('passes all parts to the workflow function', async () => {
      const body = {
        payload: { a: 1 },
        controls: { c: 'plain' },
        subscriber: { subscriberId: 's', data: { vip: true } },
        context: { tenant: { id: 't', data: { plan: 'free' } } },
        env: { name: 'Dev', type: 'dev', KEY: 'v' },
        actor: { subscriberId: 'who' },
      }
      const { json } = await site.call({ query: echoQuery, body })
      expect(json.outputs).toMatchObject(body)
    })
  })
}
