import type { JsonObject } from '@trestle/protocol'
import { expect, test } from 'vitest'
import { maskCredentials, unmaskCredentials } from './mask-credentials.ts'

const stored: JsonObject = {
  host: 'smtp.example.com',
  port: '587',
  secure: true,
  requireTls: true,
  user: 'canary-user',
  password: 'canary-password',
  from: 'a@b.example',
  webhookUrl: 'https://hooks.example.com/canary',
  tlsOptions: { ca: 'canary-ca', rejectUnauthorized: true, ciphers: ['canary-cipher'] },
}

test('round-trips masked credentials at every depth', () => {
  const maskedCredentials = maskCredentials(stored)
  expect(JSON.stringify(maskedCredentials)).not.toContain('canary')
  expect(unmaskCredentials(maskedCredentials, stored)).toMatchObject({ credentials: stored, unknown: [], moved: [] })
})

test.each([
  ...[{ from: 'c@d.example' }, { replyTo: 'e@f.example' }, { senderName: 'Shop' }, { user: 'other' }],
  ...[{ password: 'new' }, { apiKey: 'new' }, { idPath: 'data.id' }],
])('%j does not redirect a secret', (change) => {
  expect(unmaskCredentials({ ...maskCredentials(stored), ...change }, stored).moved).toEqual([])
})

const { requireTls: _, ...withoutTls } = stored
test.each<[JsonObject, JsonObject, string]>([
  [{ host: 'evil.example' }, stored, 'host'],
  [{ port: '25' }, stored, 'port'],
  [{ secure: false }, stored, 'secure'],
  [{ requireTls: false }, stored, 'requireTls'],
  [{ ignoreTls: true }, stored, 'ignoreTls'],
  [{ requireTls: true }, withoutTls, 'requireTls'],
  [{ domain: 'evil.example' }, stored, 'domain'],
  [{ webhookUrl: 'https://evil.example' }, stored, 'webhookUrl'],
  [{ baseUrl: 'https://evil.example' }, stored, 'baseUrl'],
  [{ region: 'evil' }, stored, 'region'],
  [{ accountSid: '../evil' }, stored, 'accountSid'],
  [{ apiKeyRequestHeader: 'x-other' }, stored, 'apiKeyRequestHeader'],
  [{ tlsOptions: { ca: '******', rejectUnauthorized: false, ciphers: ['******'] } }, stored, 'tlsOptions'],
  [{ tlsOptions: { ca: 'evil', rejectUnauthorized: true, ciphers: ['******'] } }, stored, 'tlsOptions'],
  [{ anythingElse: 'x' }, stored, 'anythingElse'],
])('%j would redirect secrets', (change, before, name) => {
  const { moved, kept } = unmaskCredentials({ ...maskCredentials(before), ...change }, before)
  expect(moved).toEqual([name])
  expect(kept).toContain('password')
})

test('omitting a field would redirect secrets too', () => {
  const { requireTls: _, ...rest } = maskCredentials(stored)
  expect(unmaskCredentials(rest, stored).moved).toEqual(['requireTls'])
})

test('reports a mask without a stored secret', () => {
  for (const given of [{ apiKey: '******' }, { tlsOptions: { key: '******' } }, { constructor: '******' }])
    expect(unmaskCredentials(given, stored).unknown).toEqual(Object.keys(given))
})
