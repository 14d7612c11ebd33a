import { expect, test } from 'vitest'
import { findMissing, providerApis } from '../apis/api-request.ts'
import { hasCredentialText } from './credential-texts.ts'
import { listProviders } from './provider-catalogue.ts'

const providers = listProviders()
const find = (providerId: string) => providers.find((one) => one.providerId === providerId)

test('names every provider and every credential that a form asks for', () => {
  for (const { providerId, name, fields } of providers) {
    expect(name, providerId).not.toBe(providerId)
    for (const field of fields)
      expect(hasCredentialText(providerId, field.name), `${providerId}.${field.name}`).toBe(true)
    expect(new Set(fields.map((field) => field.name)).size, providerId).toBe(fields.length)
  }
})

test('asks for what each API requires', () => {
  for (const [providerId, api] of Object.entries(providerApis)) {
    const asked = find(providerId)?.fields.filter(({ required }) => required) ?? []
    const filled = Object.fromEntries(asked.map(({ name }) => [name, 'x']))
    expect(findMissing({ ...api, findFault: () => undefined, expand: () => ({}) }, filled), providerId).toBeUndefined()
  }
})

test('hides secrets, and shows other values', () => {
  const secretsOf = (providerId: string) =>
    find(providerId)?.fields.flatMap(({ name, secret }) => (secret === true ? [name] : []))
  expect(secretsOf('nodemailer')).toEqual(['password'])
  expect(secretsOf('ses')).toEqual(['secretKey'])
  expect(secretsOf('expo')).toEqual(['apiKey'])
  expect(secretsOf('slack')).toEqual(['webhookUrl'])
})
