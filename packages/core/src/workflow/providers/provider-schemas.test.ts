import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from './channel-kind.ts'
import { providerIds } from './provider-ids.ts'
import { findProvider } from './provider-schemas.ts'

const kinds = Object.keys(providerIds) as ChannelKind[]
const check = async (kind: ChannelKind, id: string, value: unknown) =>
  compileSchema(findProvider(kind, id)?.schema as Schema).check(value)

test('offers the providers of each channel', () => {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, new Set(providerIds[kind]).size]))
  expect(counts).toEqual({ email: 22, sms: 38, push: 8, chat: 17, inApp: 1, tool: 4 })
})

test('has the chat and push provider ids of the specification', () => {
  const ids =
    'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business'.split(' ')
  for (const id of ids) expect(findProvider('chat', id)).toBeDefined()
  const push = 'fcm apns expo one-signal pushpad push-webhook pusher-beams'.split(' ')
  for (const id of push) expect(findProvider('push', id)).toBeDefined()
})

test.each(['nope', '', 'constructor', '__proto__', 'toString', 'length', '0', 'Slack'])(
  'rejects the provider %j',
  (id) => {
    for (const kind of kinds) expect(findProvider(kind, id)).toBeUndefined()
  },
)

test('rejects a provider of another channel', () => {
  expect(findProvider('sms', 'sendgrid')).toBeUndefined()
  expect(findProvider('email', 'clickatell')).toBeDefined()
  expect(findProvider('sms', 'clickatell')).toBeDefined()
})

describe.each(kinds.flatMap((kind) => providerIds[kind].map((id): [ChannelKind, string] => [kind, id])))(
  '%s %s',
  (kind, id) => {
    test('accepts an empty object, and fields unknown to the schema', async () => {
      expect(await check(kind, id, {})).toEqual({ value: {} })
      const value = { _passthrough: { body: { any: [1] }, headers: { 'X-A': 'b' }, query: { q: '1' } } }
      expect(await check(kind, id, value)).toEqual({ value })
      expect((await check(kind, id, { _passthrough: { headers: { a: 1 } } })).issues?.[0]?.path).toBe(
        '/_passthrough/headers/a',
      )
      expect((await check(kind, id, { _passthrough: { bdy: {} } })).issues?.[0]?.message).toBe('unknown key "bdy"')
      expect((await check(kind, id, 'text')).issues).toHaveLength(1)
    })
  },
)

test.each<[ChannelKind, string, object, string]>([
  ['sms', 'twilio', { contentRetention: 'never' }, '/contentRetention'],
  ['sms', 'twilio', { addressRetention: 'never' }, '/addressRetention'],
  ['sms', 'twilio', { scheduleType: 'later' }, '/scheduleType'],
  ['sms', 'twilio', { riskCheck: 'maybe' }, '/riskCheck'],
  ['push', 'fcm', { priority: 'urgent' }, '/priority'],
  ['email', 'sendgrid', { content: [{ type: 'text/html' }] }, '/content/0/value'],
  [
    'email',
    'sendgrid',
    { attachments: [{ content: 'YQ==', filename: 'a', disposition: 'x' }] },
    '/attachments/0/disposition',
  ],
])('%s %s rejects %j at %s', async (kind, id, value, path) => {
  expect((await check(kind, id, value)).issues?.map((issue) => issue.path)).toEqual([path])
})

test('SendGrid rejects unknown fields, in either spelling of its names', async () => {
  const value = { ip_pool_name: 'p', templateId: 't', custom_args: {}, _passthrough: { body: { anything: 1 } } }
  expect(await check('email', 'sendgrid', value)).toEqual({ value })
  expect((await check('email', 'sendgrid', { ipPool: 'p' })).issues).toEqual([
    { path: '/ipPool', message: 'unknown key "ipPool"' },
  ])
})

test('validates known fields, and passes on others', async () => {
  expect((await check('chat', 'slack', { webhookUrl: 'no url', blocks: [{}] })).issues).toEqual([
    { path: '/webhookUrl', message: 'must be in the format "uri"' },
    { path: '/blocks/0/type', message: 'is required' },
  ])
  expect((await check('sms', 'twilio', { maxPrice: '1' })).issues).toHaveLength(1)
  const value = { from: 'a@b.example', somethingNew: { x: 1 } }
  expect(await check('email', 'mailgun', value)).toEqual({ value })
  expect((await check('inApp', 'novu', { title: 'x' })).issues?.[0]?.message).toBe('unknown key "title"')
})
