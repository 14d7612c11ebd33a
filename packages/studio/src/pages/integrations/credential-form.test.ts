import { expect, test } from 'vitest'
import type { Provider } from '../../api/generated/resources.ts'
import { toCredentialForm } from './credential-form.ts'

const smtp: Provider = {
  providerId: 'nodemailer',
  name: 'SMTP',
  channel: 'email',
  fields: [
    { name: 'host', label: 'Host', required: true },
    { name: 'user', label: 'User', required: true },
    { name: 'password', label: 'Password', required: false, secret: true },
    { name: 'secure', label: 'TLS', required: false, kind: 'switch' },
  ],
}

test('omits empty credentials of a new integration', () => {
  const form = toCredentialForm(smtp)
  expect(form.toCredentials({ ...form.initial, 'credentials.host': 'a.example' })).toEqual({ host: 'a.example' })
  expect(form.fields.map(({ required }) => required)).toEqual([true, true, false, false])
})

test('keeps masked secrets, other saved values and unset switches unchanged', () => {
  const saved = { host: 'a.example', user: '******', password: '******', extra: '******', tlsOptions: { ca: '******' } }
  const form = toCredentialForm(smtp, saved)
  expect(form.initial).toEqual({
    'credentials.host': 'a.example',
    'credentials.user': '',
    'credentials.password': '',
    'credentials.secure': false,
    'credentials.extra': '',
  })
  expect(form.toCredentials(form.initial)).toEqual(saved)
  expect(form.fields.find(({ name }) => name === 'credentials.user')?.required).toBe(false)
  const changed = { ...form.initial, 'credentials.password': 'new', 'credentials.secure': true }
  expect(form.toCredentials(changed)).toEqual({ ...saved, password: 'new', secure: true })
})

test('turns off a switch that was on', () => {
  const form = toCredentialForm(smtp, { secure: true })
  expect(form.toCredentials({ ...form.initial, 'credentials.secure': false })).toEqual({ secure: false })
})
