import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, agent } from '../agent/agent.ts'
import { workflow } from '../workflow/workflow.ts'
import { eventBody, mount, type Service, sendEvent, startService } from './turn.fixture.ts'

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

type OnMessage = AgentOptions<Record<never, never>>['onMessage']

/** Runs an `onMessage` handler, and returns what the service received. */
async function sentBy(count: number, onMessage: OnMessage) {
  const body = eventBody(service, { subscriber: { subscriberId: 'ada' } })
  await sendEvent(mount([agent('support', { onMessage })], service).bridge, body)
  return (await service.received(count)).map((reply) => reply.body)
}

test('an unawaited reply has the content from the time of the call', async () => {
  const sent = await sentBy(5, ({ reply, edit, setMetadata }) => {
    const content = { text: 'one', card: { type: 'card' as const, title: 'one', children: [] } }
    void reply(content)
    content.text = 'two'
    content.card.title = 'two'
    void edit('m1', content)
    content.text = 'three'
    const bytes = new Uint8Array([65])
    const files = [{ name: 'a.txt', bytes }]
    void reply({ files })
    bytes[0] = 66
    files[0] = { name: 'b.txt', bytes }
    void reply({ files })
    files.length = 0
    const metadata = { n: 1 }
    void setMetadata(metadata)
    metadata.n = 2
  })
  expect(sent).toMatchObject([
    { reply: { text: 'one', card: { title: 'one' } } },
    { edit: { text: 'two', card: { title: 'two' } } },
    { reply: { files: [{ name: 'a.txt', data: 'QQ==' }] } },
    { reply: { files: [{ name: 'b.txt', data: 'Qg==' }] } },
    { metadata: { n: 1 } },
  ])
})

test('the edit of a sent message has the content from the time of the call', async () => {
  const sent = await sentBy(2, async ({ reply }) => {
    const message = await reply('first')
    const content = { text: 'second' }
    void message.edit(content)
    content.text = 'third'
  })
  expect(sent[1]).toMatchObject({ edit: { text: 'second' } })
})

test('triggers a workflow with the payload from the time of the call, with dates for the schema', async () => {
  const due = z.object({ at: z.date(), lines: z.array(z.object({ id: z.string() })) })
  const shipped = workflow('shipped', async () => undefined, { payloadSchema: due })
  const [sent] = await sentBy(1, ({ trigger }) => {
    const payload = { at: new Date(0), lines: [{ id: 'a' }] }
    void trigger(shipped, { payload }).catch(() => undefined)
    payload.lines[0] = { id: 'b' }
    payload.lines.push({ id: 'c' })
  })
  expect(sent.payload).toEqual({ at: '1970-01-01T00:00:00.000Z', lines: [{ id: 'a' }] })
})

test('reports invalid content at the call, and sends none of it', async () => {
  const faults: string[] = []
  const sent = await sentBy(2, async ({ reply }) => {
    void reply('before')
    await reply({ text: 7 as never }).catch((error: Error) => faults.push(error.message))
    await reply({ card: { type: 'cart' } as never }).catch((error: Error) => faults.push(error.message))
    void reply('after')
  })
  expect(sent).toMatchObject([{ reply: { text: 'before' } }, { reply: { text: 'after' } }])
  expect(faults).toEqual([
    'A reply: the option text must be a string; got 7.',
    expect.stringContaining('A reply: the card is invalid at /type'),
  ])
})

test('rejects a cyclic payload quickly', async () => {
  const shipped = workflow('shipped', async () => undefined)
  const faults: unknown[] = []
  const sent = await sentBy(1, async ({ trigger, reply }) => {
    const order: { lines: object[] } = { lines: [] }
    order.lines = Array.from({ length: 3 }, () => ({ order }))
    await trigger(shipped, { payload: { order } }).catch((error: unknown) => faults.push(error))
    await reply('still there')
  })
  expect(sent).toMatchObject([{ reply: { text: 'still there' } }])
  expect(faults).toHaveLength(1)
})
