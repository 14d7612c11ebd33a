import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { createTestChannels, toDelivery } from './channels.fixture.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '{{ t.a }}',
    '{{ t["\u0000"] }}',
    '{{{ body }}}',
    '<p>',
    'ada@example.com',
    '__proto__',
    '',
  ),
)
const names =
  'subject body card to from replyTo preheader avatar primaryAction redirect data attachments children type title label url content style value options rows headers name file channels toString valueOf constructor'
const kinds = 'text image divider link actions fields table section button select Buffer card'
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.constantFrom(...kinds.split(' ')),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    // Converting it to a string throws.
    fc.constant({ toString: 1, valueOf: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom(...names.split(' '))), tie('value'), { maxKeys: 5 }),
})).value
const object = fc.dictionary(fc.oneof(fc.constantFrom(...names.split(' ')), text), json)
const overrides = fc.dictionary(
  fc.constantFrom(
    'email',
    'sms',
    'chat',
    'providers',
    'steps',
    'channels',
    'layoutIdentifier',
    'novu-email',
    'slack',
    'nodemailer',
    '_passthrough',
  ),
  json,
)

// An error here would return the message to the queue forever.
test('stores a message for any contents of the step, the trigger and the subscriber', async (context) => {
  const channels = await createTestChannels('sqlite', context)
  await channels.addIntegration({ providerId: 'slack', channel: 'chat' }, { webhookUrl: 'http://127.0.0.1:9/' })
  await channels.addIntegration(
    { providerId: 'nodemailer', channel: 'email' },
    { host: '127.0.0.1', from: 'a@b.example' },
  )
  const type = fc.constantFrom('in_app', 'email', 'sms', 'push', 'chat', 'tool')
  await fc.assert(
    fc.asyncProperty(type, object, overrides, json, async (channel, ...values) => {
      // Serialized as sent over the wire.
      const [outputs, given, rest] = JSON.parse(JSON.stringify(values))
      const base = toDelivery(channel, outputs, { overrides: given, providers: { slack: rest, nodemailer: rest } })
      const subscriber = { ...base.subscriber, email: rest, phone: rest, locale: rest } as never
      const payload = { attachments: rest, a: rest }
      const { messages, notes } = await channels.put({ ...base, subscriber, run: { ...base.run, payload } })
      expect(messages).toHaveLength(1)
      expect(notes.every(({ detail }) => !/\p{Surrogate}/u.test(detail))).toBe(true)
      for (const name of ['content', 'cta', 'payload', 'overrides', 'deliveredAt'] as const)
        expect(JSON.parse(messages[0]?.[name] ?? 'null')).toBeDefined()
    }),
    { numRuns: draws(300, 10_000) },
  )
})

test('stores a message even if a field cannot be converted to a string', async (context) => {
  const channels = await createTestChannels('sqlite', context)
  const hostile = { toString: 1, valueOf: 1 }
  for (const value of [
    hostile,
    [hostile],
    { type: 'Buffer', data: [hostile] },
    { children: [{ type: 'text', content: hostile }] },
  ])
    for (const name of names.split(' '))
      for (const channel of ['in_app', 'email', 'sms', 'push', 'chat', 'tool'] as const) {
        const outputs = { subject: 's', body: 'b', [name]: value }
        const given = { [channel]: { [name]: value }, layoutIdentifier: value }
        const { messages } = await channels.put(toDelivery(channel, outputs, { overrides: given }))
        expect(messages).toHaveLength(1)
      }
})
