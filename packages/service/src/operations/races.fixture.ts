/** A request: method and path, and a body. */
export type Line = readonly [line: string, body?: object]

/**
 * Concurrent writes. In lines, `#` is the round, `{0}` the `_id` from the first earlier response, `{env}` the
 * environment.
 */
export interface Race {
  readonly name: string
  /** Calls before the concurrent ones, in sequence. */
  readonly before?: readonly Line[]
  readonly together: readonly Line[]
  /** The statuses of the responses, sorted. @default all succeed */
  readonly statuses?: readonly number[]
  /** How many times the case runs. @default 5 */
  readonly rounds?: number
  /** The request that reads the result. */
  readonly read: string
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  readonly sees: (body: any) => unknown
  readonly wanted: unknown
}

const flags = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, false]))
const url = (name: string) => ({ webhookUrl: `https://${name}.example` })
const subscriber: Line = ['POST /v2/subscribers', { subscriberId: 'u#' }]
const preferences = 'PATCH /v2/subscribers/u#/preferences'
const credentials = '/v1/subscribers/u#/credentials'
const chat = ['slack', 'discord'].map(
  (id): Line => ['POST /v1/integrations', { providerId: id, channel: 'chat', identifier: `${id}#`, active: true }],
)
const channelsOf = (body: { readonly channels?: readonly { readonly providerId: string }[] }) =>
  body.channels?.map(({ providerId }) => providerId).sort()
const channel = (providerId: string) => ({
  providerId,
  integrationIdentifier: `${providerId}#`,
  credentials: url(providerId),
})
const sendgrid = (identifier: string): Line => [
  'POST /v1/integrations',
  { providerId: 'sendgrid', channel: 'email', identifier, credentials: { apiKey: 'k' }, active: true },
]
const named = (name: string) => ({ workflowId: 'w#', name, steps: [{ name: 'Tell', type: 'in_app' }], active: true })
const workflow: Line = ['POST /v2/workflows', named('W')]

/** Preferences and addresses of subscribers. */
const ofSubscribers: readonly Race[] = [
  {
    name: 'first preferences of a subscriber',
    before: [subscriber],
    together: ['email', 'sms', 'push'].map((name) => [preferences, { channels: flags(name) }]),
    read: '/v2/subscribers/u#/preferences',
    sees: ({ global }) => global.channels,
    wanted: flags('email', 'sms', 'push'),
  },
  {
    name: 'preferences of a subscriber',
    before: [subscriber, [preferences, { channels: flags('chat') }]],
    together: ['email', 'sms', 'push'].map((name) => [preferences, { channels: flags(name) }]),
    read: '/v2/subscribers/u#/preferences',
    sees: ({ global }) => global.channels,
    wanted: flags('email', 'sms', 'push', 'chat'),
  },
  {
    name: 'credentials of two channels',
    before: [subscriber, ...chat],
    together: ['slack', 'discord'].map((id) => [`PUT ${credentials}`, channel(id)]),
    read: '/v2/subscribers/u#',
    sees: channelsOf,
    wanted: ['discord', 'slack'],
  },
  {
    name: 'device tokens that are added',
    before: [
      subscriber,
      ['POST /v1/integrations', { providerId: 'fcm', channel: 'push', identifier: 'fcm#', active: true }],
    ],
    together: ['a', 'b', 'c'].map((token) => [
      `PATCH ${credentials}`,
      { providerId: 'fcm', integrationIdentifier: 'fcm#', credentials: { deviceTokens: [token] } },
    ]),
    read: '/v2/subscribers/u#',
    sees: ({ channels }) => channels[0]?.credentials.deviceTokens.toSorted(),
    wanted: ['a', 'b', 'c'],
  },
  {
    name: 'channels that come with subscribers, and credentials',
    before: [subscriber, ...chat],
    together: [
      ['POST /v1/subscribers', { subscriberId: 'u#', channels: [channel('slack')] }],
      [`PUT ${credentials}`, channel('discord')],
    ],
    read: '/v2/subscribers/u#',
    sees: channelsOf,
    wanted: ['discord', 'slack'],
  },
  {
    name: 'a subscriber that must be new',
    together: Array.from({ length: 3 }, () => ['POST /v2/subscribers?failIfExists=true', { subscriberId: 'u#' }]),
    statuses: [201, 409, 409],
    read: '/v2/subscribers?subscriberId=u#',
    sees: (all) => all.length,
    wanted: 1,
  },
  {
    name: 'subscriptions to a topic that is missing',
    before: [subscriber],
    together: Array.from({ length: 3 }, () => ['POST /v2/topics/t#/subscriptions', { subscriberIds: ['u#'] }]),
    read: '/v2/topics/t#/subscriptions',
    sees: (all) => all.length,
    wanted: 1,
  },
]

/** Settings of an environment. */
const ofSettings: readonly Race[] = [
  {
    name: 'fields of a workflow',
    before: [workflow],
    together: [{ name: 'N' }, { description: 'D' }, { tags: ['t'] }].map((body) => ['PATCH /v2/workflows/w#', body]),
    read: '/v2/workflows/w#',
    sees: ({ name, description, tags }) => [name, description, tags],
    wanted: ['N', 'D', ['t']],
  },
  {
    name: 'a workflow that must be new',
    together: [1, 2, 3].map((number) => ['POST /v2/workflows', named(`${number}`)]),
    statuses: [201, 409, 409],
    read: '/v2/workflows/w#',
    sees: ({ workflowId }) => workflowId.length > 0,
    wanted: true,
  },
  {
    name: 'fields of an integration',
    before: [sendgrid('mail#')],
    together: [
      ['PUT /v1/integrations/{0}', { name: 'N' }],
      ['PUT /v1/integrations/{0}', { active: false }],
    ],
    read: '/v1/integrations',
    sees: (all) => all.every(({ name, active }: { name: string; active: boolean }) => name === 'N' && !active),
    wanted: true,
  },
  {
    name: 'the one primary integration of a channel',
    before: [sendgrid('a#'), sendgrid('b#'), sendgrid('c#')],
    together: [0, 1, 2].map((index) => [`POST /v1/integrations/{${index}}/set-primary`]),
    read: '/v1/integrations',
    sees: (all) => all.filter(({ primary }: { primary: boolean }) => primary).length,
    wanted: 1,
  },
  {
    name: 'fields of a tenant',
    before: [['POST /v1/tenants', { identifier: 't#', name: 'a', data: {} }]],
    together: [{ name: 'N' }, { data: { x: 1 } }].map((body) => ['PATCH /v1/tenants/t#', body]),
    read: '/v1/tenants/t#',
    sees: ({ name, data }) => [name, data],
    wanted: ['N', { x: 1 }],
  },
  {
    name: 'a variable that becomes secret while it gets a value',
    before: [['POST /v1/environment-variables', { key: 'V#', values: [] }]],
    together: [{ isSecret: true }, { values: [{ _environmentId: '{env}', value: 'hush' }] }].map((body) => [
      'PATCH /v1/environment-variables/V#',
      body,
    ]),
    read: '/v1/environment-variables/V#',
    sees: (variable) => [variable.isSecret, variable.values.length, JSON.stringify(variable).includes('hush')],
    wanted: [true, 1, false],
  },
  {
    name: 'the one default layout',
    before: ['a#', 'b#', 'c#'].map((layoutId) => ['POST /v2/layouts', { layoutId, name: 'L' }]),
    together: ['a#', 'b#', 'c#'].map((layoutId) => [`POST /v1/layouts/${layoutId}/default`]),
    read: '/v2/layouts?limit=100',
    sees: ({ layouts }) => layouts.filter(({ isDefault }: { isDefault: boolean }) => isDefault).length,
    wanted: 1,
  },
  {
    name: 'the first layout, which becomes the default',
    together: [1, 2, 3].map((number) => ['POST /v2/layouts', { layoutId: `${number}`, name: 'L' }]),
    rounds: 1,
    read: '/v2/layouts?limit=100',
    sees: ({ layouts }) => layouts.filter(({ isDefault }: { isDefault: boolean }) => isDefault).length,
    wanted: 1,
  },
  {
    name: 'fields of a context',
    before: [['POST /v2/contexts', { type: 'team', id: 'c#', data: { x: 0 } }]],
    together: [{ data: { x: 1 } }, { bridgeUrl: 'https://b.example' }].map((body) => [
      'PATCH /v2/contexts/team/c#',
      body,
    ]),
    read: '/v2/contexts/team/c#',
    sees: ({ data, bridgeUrl }) => [data, bridgeUrl],
    wanted: [{ x: 1 }, 'https://b.example'],
  },
]

/** Concurrent writes that must not lose updates, for many operations. */
export const races: readonly Race[] = [...ofSubscribers, ...ofSettings]
