import type { MessageType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { listMessages } from '../messages/list-messages.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Delivery } from './base/delivery.ts'
import { createTestChannels, environmentId, type TestChannels, toDelivery, vault } from './channels.fixture.ts'
import { previewMessage } from './preview-message.ts'

const flags = { isDefault: 1, isTranslationEnabled: 1 } as const
const stamp = { environmentId, createdAt: 1, updatedAt: 1 }

async function addTexts({ db }: TestChannels, resource: readonly [string, string], texts: object): Promise<void> {
  const [resourceType, resourceId] = resource
  const id = `00000000000000000000${resourceType.slice(0, 4)}`
  const content = JSON.stringify(texts)
  const row = { id, resourceType, resourceId, locale: 'de', content, ...stamp }
  await db.insertInto('translations').values(row).execute()
}

async function addLayout({ db }: TestChannels, content: string): Promise<void> {
  const named = { identifier: 'standard', name: 'S', description: null, variables: '[]', controlValues: '{}' }
  const row = { id: '0000000000000000000000c1', ...named, content, ...flags, ...stamp }
  await db.insertInto('layouts').values(row).execute()
}

/** A message of a run whose payload contains a link. */
function deliveryOf(type: MessageType, body: string, link: string): Delivery {
  const delivery = toDelivery(type, { subject: 's', body })
  return { ...delivery, run: { ...delivery.run, payload: { link } } }
}

const addresses: readonly [string, boolean][] = [
  ['https://example.com/?a=1&b=2', true],
  ['/relative', true],
  ['javascript:alert(1)', false],
  ['JaVa\tScript:alert(1)', false],
  ['\u0001vbscript:x', false],
  ['x" onerror="alert(1)', true],
  ['data:text/html,<script>alert(1)</script>', false],
]

/** The outcome of a message for each address: sent, or the error code. */
async function deliverAll(channels: TestChannels, type: MessageType, body: string): Promise<[string, string | null][]> {
  const outcomes: [string, string | null][] = []
  for (const [link] of addresses) {
    const delivery = deliveryOf(type, body, link)
    const { messages, notes } = await channels.put(delivery)
    const code = messages[0]?.errorId ?? null
    expect(messages[0]?.status).toBe(code === null ? 'sent' : 'error')
    if (code !== null) expect(JSON.stringify(notes)).toMatch(/The message is not sent: in the (layout|translation)/)
    const { warnings } = await previewMessage(channels.db, delivery, { vault })
    expect(warnings.map((warning) => warning.code)).toEqual(code === null ? [] : [code])
    outcomes.push([link, code])
    if (type === 'in_app') expect(await isInInbox(channels, messages[0])).toBe(code === null)
  }
  return outcomes
}

/** Whether the recipient sees a message in the list, and in the stream of changes. */
async function isInInbox({ db }: TestChannels, message: MessageRow | undefined): Promise<boolean> {
  const { id = '', subscriberId = '' } = message ?? {}
  const { rows } = await listMessages(db, { environmentId, subscriberId }, { offset: 0, limit: 100 })
  const changes = await db.selectFrom('inboxChanges').select('messageIds').execute()
  const places = [rows.some((row) => row.id === id), changes.some(({ messageIds }) => messageIds?.includes(id))]
  expect(places[0]).toBe(places[1])
  return places[0] ?? false
}

const expected = addresses.map(([link, isSafe]) => [link, isSafe ? null : 'unsafe_address'])

describe('an inserted URL cannot become a script', () => {
  test.for<[string, object]>([
    ['<a href="{{ payload.link }}">x</a>{{{body}}}', {}],
    ['{{ t.foot }}{{{body}}}', { foot: "<a href='{{ payload.link }}'>x</a>" }],
  ])('in the layout %s', async ([content, texts], context) => {
    const channels = await createTestChannels('sqlite', context)
    await addLayout(channels, content)
    await addTexts(channels, ['layout', 'standard'], texts)
    expect(await deliverAll(channels, 'email', '<p>Body</p>')).toEqual(expected)
  })

  test('in a layout without quotes', async (context) => {
    const channels = await createTestChannels('sqlite', context)
    await addLayout(channels, '<img src={{ payload.link }}>{{{body}}}')
    const codeOf = async (link: string): Promise<string | null | undefined> =>
      (await channels.put(deliveryOf('email', 'x', link))).messages[0]?.errorId
    for (const link of ['x onerror=alert(1)', 'javascript:alert(1)', 'x\tONCLICK=y'])
      expect([link, await codeOf(link)]).toEqual([link, 'unsafe_address'])
    for (const link of ['https://example.com/a.png', 'x alt=1'])
      expect([link, await codeOf(link)]).toEqual([link, null])
  })

  test.for<MessageType>(['email', 'in_app'])('in a translation of the step %s', async (type, context) => {
    const channels = await createTestChannels('sqlite', context)
    await addTexts(channels, ['workflow', 'welcome'], { foot: '<a href="{{ payload.link }}">x</a>' })
    expect(await deliverAll(channels, type, '<p>Body</p>{{ t.foot }}')).toEqual(expected)
  })

  test('but is not checked in text that the step itself contains', async (context) => {
    const channels = await createTestChannels('sqlite', context)
    await addLayout(channels, '<main>{{{body}}}</main>{{ payload.link }}')
    const { messages } = await channels.put(deliveryOf('email', '<a href="data:text/plain,x">x</a>', 'javascript:x'))
    expect(messages).toMatchObject([{ status: 'sent', errorId: null }])
  })
})
