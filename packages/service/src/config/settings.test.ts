import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import { systemClock } from '../clock/clock.ts'
import type { ServiceOptions } from './generated/service-options.ts'
import { findMisspelledVariables } from './misspelled-variables.ts'
import { readSettings, SettingsError } from './settings.ts'
import { describeSettings, listVariables } from './shape/describe-settings.ts'
import type { bridgeRows } from './shape/group-rows.ts'
import type { Group, KindValues, Row } from './shape/kinds.ts'
import { shape } from './shape/shape.ts'

test.each<[object, string]>([
  [{ portt: 1 }, 'portt: this option does not exist; did you mean port?'],
  [{ toString: 1 }, 'toString: this option does not exist'],
  [{ log: () => undefined }, 'log: must be an object with the method write'],
  [{ log: {} }, 'log: must be an object with the method write'],
  [{ clock: { now: () => 0 } }, 'clock: must be an object with the methods now and sleep'],
  [{ mounts: { '/mcp': 5 } }, 'mounts./mcp: must be a function'],
  [{ studio: 'here' }, 'studio: must be true, false or the URL of a folder'],
  [{ bridge: 5 }, 'bridge: must be an object'],
  [
    { inboundMail: { hostname: 'mx.example.com' } },
    'inboundMail.hostname: this option does not exist; did you mean inboundMail.hostName?',
  ],
  [{ inboundMail: { port: 25 } }, 'inboundMail.port: needs hostName, or SERVICE_INBOUND_MAIL_HOST'],
  [{ dataFolder: 5, calls: 0 }, 'dataFolder: must be text; calls: must be a whole number of 1 or more'],
  [{ databaseFile: 5 }, 'databaseFile: must be text'],
  [
    { trustedProxies: ['10.0.0.0/8', '10.0.0.0/99'] },
    'trustedProxies.1: must be an address range such as 10.0.0.0/8 or fd00::/8',
  ],
])('rejects an unknown or unusable option by its name: %j', (options, message) => {
  expect(() => readSettings(options as ServiceOptions, {})).toThrow(new SettingsError(message))
})

test.each(['10.0.0.0/99', 'example.com', '', '10.0.0.0/x', '10.0.0.0/', '10.0.0.0/8/9'])(
  'rejects %j as an address range',
  (range) => {
    const message = ': must be an address range such as 10.0.0.0/8 or fd00::/8'
    for (const options of [{ trustedProxies: [range] }, { bridge: { allow: [range] } }])
      expect(() => readSettings(options, {})).toThrow(message)
  },
)

test('passes options unchanged', () => {
  const given = {
    ...{ log: { write: () => undefined }, clock: { now: () => 0, sleep: async () => undefined } },
    ...{ mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: '' }) }, studio: new URL('file:///studio/') },
    ...{ dataFolder: 'here', bridge: { timeoutMs: 5, nowMs: () => 0 } },
  }
  const settings = readSettings(given, {})
  for (const name of ['log', 'clock', 'studio'] as const) expect(settings[name]).toBe(given[name])
  expect(settings.bridge).toEqual(given.bridge)
  expect(settings.mounts['/mcp']).toBe(given.mounts['/mcp'])
  expect([settings.dataFolder, settings.databaseFile]).toEqual(['here', 'here/service.db'])
})

test('has defaults', () => {
  const { clock, inboundMail, bridge, port, databaseFile, work } = readSettings({}, {})
  expect({ clock, inboundMail, bridge, port, databaseFile, work }).toEqual({
    ...{ clock: systemClock, inboundMail: undefined, bridge: {}, port: 3737, databaseFile: '.trestle/service.db' },
    work: true,
  })
})

/** A text of each kind, the value it represents, and an invalid text. */
const samples: Readonly<Record<Exclude<keyof KindValues, 'mounts' | 'log' | 'clock'>, [string, unknown, string?]>> = {
  whole: ['2048', 2048, '1e3'],
  flag: ['false', false, 'no'],
  text: ['some text', 'some text'],
  choice: ['off', 'off', 'Off'],
  list: ['one, two words', ['one', 'two words'], 'one,'],
  ranges: ['10.0.0.0/8 192.168.0.0/16,', ['10.0.0.0/8', '192.168.0.0/16'], '10.0.0.0/99'],
  keys: [
    'Development=0123456789abcdef=, Two words=fedcba9876543210',
    { Development: '0123456789abcdef=', 'Two words': 'fedcba9876543210' },
    'a key without a name',
  ],
  apiAddress: ['https://api.example.com', 'https://api.example.com', 'api.example.com'],
  hostName: ['MX.example.com', 'mx.example.com', 'mx'],
  nameServers: ['10.0.0.53, 10.0.0.54:53', ['10.0.0.53', '10.0.0.54:53'], 'dns.example.com'],
  authorities: ['/dev/null', '', '/no/such/file'],
  studio: ['file:///studio/', new URL('file:///studio/'), 'yes'],
}

const rows = Object.entries<Row | Group>(shape).flatMap(([name, row]) =>
  'rows' in row
    ? Object.entries(row.rows).map(([field, inner]) => ({ path: [name, field], row: inner }))
    : [{ path: [name], row }],
)
const variables = rows.flatMap(({ path, row }) =>
  row.variable === undefined
    ? []
    : [{ path, row, variable: row.variable, sample: samples[row.kind as keyof typeof samples] }],
)

/** Variables that other settings require. */
const common = {
  SERVICE_INBOUND_MAIL_HOST: 'mx.example.com',
  SERVICE_ACCOUNTS: 'true',
  SERVICE_STUDIO_URL: 'https://studio.example.com',
  SERVICE_OIDC_ISSUER: 'https://id.example.com',
  SERVICE_OIDC_CLIENT_ID: 'client',
  SERVICE_OIDC_DOMAINS: 'example.com',
}

function readSample(kind: keyof typeof samples, { choices, max = 2048 }: Row): [string, unknown] {
  if (kind === 'choice') return [String(choices?.[0]), choices?.[0]]
  const [text, value] = samples[kind]
  return kind === 'whole' && max < 2048 ? [String(max), max] : [text, value]
}

describe('environment variables', () => {
  test('exist for every setting except functions', () => {
    expect(rows.filter(({ row }) => row.variable === undefined).map(({ path }) => path[0])).toEqual([
      ...['mounts', 'log', 'clock'],
    ])
    expect(new Set(variables.map(({ variable }) => variable)).size).toBe(variables.length)
    expect(listVariables().map(({ variable }) => variable)).toEqual(variables.map(({ variable }) => variable))
  })

  test('exist for every bridge client option that is data', () => {
    type Data = {
      [K in keyof BridgeSettings]-?: Extract<BridgeSettings[K], (...args: never[]) => unknown> extends never ? K : never
    }
    // A connection pool consists of functions only.
    type Named = Exclude<Data[keyof BridgeSettings], 'connections'>
    expectTypeOf<keyof typeof bridgeRows>().toEqualTypeOf<Named>()
  })

  test.each(variables)(
    'include $variable, which sets its option and overrides it',
    ({ path: [name = '', field], row, variable }) => {
      const [text, value] = readSample(row.kind as keyof typeof samples, row)
      const pair = {
        ...common,
        SERVICE_INBOUND_MAIL_KEY_FILE: 'a',
        SERVICE_INBOUND_MAIL_CERT_FILE: 'b',
        [variable]: text,
        // Without accounts, a sign-in provider is rejected.
        ...(variable === 'SERVICE_ACCOUNTS' ? { SERVICE_OIDC_ISSUER: '' } : {}),
      }
      const settings = readSettings({}, pair) as unknown as Record<string, Record<string, unknown>>
      expect(field === undefined ? settings[name] : settings[name]?.[field]).toEqual(value)
      if (field !== undefined) return
      const given = readSettings({ [name]: value }, { ...common, [variable]: 'unusable' })
      expect((given as unknown as Record<string, unknown>)[name]).toEqual(value)
    },
  )

  test.each(variables.filter(({ sample: [, , bad] }) => bad !== undefined))(
    'include the name $variable in the error if its value is invalid',
    ({ row: { isSecret }, variable, sample: [, , bad = ''] }) => {
      const read = () => readSettings({}, { ...common, [variable]: bad })
      expect(read).toThrow(SettingsError)
      expect(read).toThrow(isSecret ? `${variable}: ` : `${variable} is ${JSON.stringify(bad)}: `)
      if (isSecret) expect(read).not.toThrow(bad)
    },
  )

  test('count as unset if they are empty, except the allowed ranges', () => {
    const empty = Object.fromEntries(variables.map(({ variable }) => [variable, '']))
    expect(readSettings({}, empty)).toEqual({ ...readSettings({}, {}), bridge: { allow: [] }, trustedProxies: [] })
  })
})

test('finds misspelled variables, but not those of bridges, clients or other programs', () => {
  const names = [
    'SERVICE_DATABASE_URL',
    'SERVICE_PORT',
    'SERVICE_ENCRPTION_KEY',
    'SERVICE_STUDO',
    'SERVICE_SECRET_KEY',
    'SERVICE_STUDIO',
    'SERVICE_WEATHER',
  ]
  expect(findMisspelledVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([
    { name: 'SERVICE_DATABASE_URL', meant: 'DATABASE_URL' },
    { name: 'SERVICE_PORT', meant: 'PORT' },
    { name: 'SERVICE_ENCRPTION_KEY', meant: 'SERVICE_ENCRYPTION_KEY' },
    { name: 'SERVICE_STUDO', meant: 'SERVICE_STUDIO' },
  ])
})

describe('accounts', () => {
  const url = 'https://studio.example.com'
  const provider = { issuer: 'https://id.example.com', clientId: 'client' }
  test.each<[string, Parameters<typeof readSettings>[0], string]>([
    ['a studio for others without accounts', { host: '0.0.0.0', studio: true }, 'studio: '],
    [
      'mounts for others',
      { host: '0.0.0.0', accounts: { enabled: true, url }, mounts: { '/x': async () => never } },
      'mounts: ',
    ],
    ['accounts for others without a URL', { host: '0.0.0.0', accounts: { enabled: true } }, 'accounts.url: '],
    ['an unencrypted URL', { accounts: { enabled: true, url: 'http://studio.example.com' } }, 'accounts.url: '],
    ['an unencrypted public URL', { accounts: { enabled: true }, publicUrl: 'http://x.example.com' }, 'accounts.url: '],
    ['a URL with a path', { accounts: { enabled: true, url: `${url}/trestle` } }, 'accounts.url: '],
    ['a provider without accounts', { oidc: provider }, 'oidc.issuer: '],
    [
      'a provider without a client',
      { accounts: { enabled: true }, oidc: { issuer: provider.issuer } },
      'oidc.clientId: ',
    ],
    [
      'an unencrypted provider',
      { accounts: { enabled: true }, oidc: { ...provider, issuer: 'http://id.example.com' } },
      'oidc.issuer: ',
    ],
    ['a role for everybody', { accounts: { enabled: true }, oidc: { ...provider, role: 'viewer' } }, 'oidc.role: '],
  ])('refuse %s', (_what, options, place) => {
    expect(() => readSettings(options, {})).toThrow(SettingsError)
    expect(() => readSettings(options, {})).toThrow(place)
  })

  test('use the public URL, and allow a loopback address without TLS', () => {
    const options = { host: '0.0.0.0', studio: true, accounts: { enabled: true }, publicUrl: url }
    expect(readSettings(options, {}).accounts).toMatchObject({ url })
    expect(
      readSettings({ accounts: { enabled: true }, publicUrl: 'http://127.0.0.1:3737' }, {}).accounts.url,
    ).toBeDefined()
    expect(readSettings({}, {})).toMatchObject({ accounts: { enabled: false }, oidc: undefined })
  })
})

const never = undefined as never

test('each setting is read', () => {
  const own = join(import.meta.dirname, '..')
  // The settings of bridge calls are passed on.
  const folders = [own, join(own, '../../bridge-client/src')]
  const text = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|\/config\/(shape|generated)\//.test(name))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
  const options = describeSettings().flatMap(({ option, inner }) => [option, ...inner.map((one) => one.option)])
  expect(options.length).toBeGreaterThan(40)
  const isRead = (option: string): boolean => new RegExp(`\\b${option.split('.').at(-1)}\\b`).test(text)
  expect(options.filter((option) => !isRead(option))).toEqual([])
})
