import { expect, test } from 'vitest'
import { z } from 'zod'
import { processorMs } from '../../processor-time.fixture.ts'
import { type Data, sidesOf } from './everyday.fixture.ts'

const payloadSchema = z.object({
  status: z.string(),
  kind: z.enum(['invoice', 'order']),
  type: z.string(),
  n: z.number(),
  m: z.number(),
  ok: z.boolean(),
  tags: z.array(z.string()),
  user: z.object({
    first: z.string(),
    last: z.string(),
    role: z.string(),
    plan: z.string().optional(),
    address: z.object({ country: z.string(), city: z.string() }),
  }),
  flags: z.record(z.string(), z.boolean()),
  prices: z.record(z.string(), z.number()),
  at: z.iso.datetime(),
  day: z.iso.date(),
})

/** Texts that are put together, named, counted and ordered; dates and records; each with two sides. */
const conditions: Readonly<Record<string, (context: Data) => unknown>> = {
  joinedByTemplate: ({ payload }) => `${payload.type}:${payload.status}` === 'order:paid',
  fullName: ({ payload }) => `${payload.user.first} ${payload.user.last}` === 'Ada Lovelace',
  // biome-ignore lint/style/useTemplate: sums are what is found
  joinedBySum: ({ payload }) => payload.type + '.' + payload.status === 'order.paid',
  joinedList: ({ payload }) => [payload.type, payload.status].join('.') === 'order.paid',
  joinedInSwitch: ({ payload }) => {
    let hit = false
    switch (`${payload.type}-${payload.status}`) {
      case 'order-paid':
        hit = true
        break
      case 'order-late':
        hit = false
    }
    return hit
  },
  joinedInList: ({ payload }) => ['order.paid', 'order.late'].includes(`${payload.type}.${payload.status}`),
  joinedNumber: ({ payload }) => `user-${payload.n}` === 'user-7',
  joinedEnum: ({ payload }) => `${payload.kind}_${payload.status}`.toUpperCase() === 'ORDER_PAID',
  joinedKey: ({ payload }) => {
    const rules: Data = { 'order:paid': true }
    return rules[`${payload.type}:${payload.status}`]
  },
  joinedVariable: ({ payload }) => {
    const key = `${payload.type}/${payload.user.address.country}`
    return key === 'vip/DE'
  },
  // biome-ignore lint/style/useTemplate: sums are what is found
  padded: ({ payload }) => ('0' + payload.n).slice(-2) === '07',
  joinedFlag: ({ payload }) => `${payload.type}:${payload.ok}` === 'order:true',
  joinedLength: ({ payload }) => (payload.type + payload.status).length > 20,
  joinedInMap: ({ payload }) => {
    const handlers = new Map([['order:paid', () => true]])
    return handlers.get(`${payload.type}:${payload.status}`)?.()
  },
  anyTrue: ({ payload }) => Object.values<Data>(payload.flags).includes(true),
  someTrue: ({ payload }) => Object.values<Data>(payload.flags).some(Boolean),
  somePrice: ({ payload }) => Object.values<Data>(payload.prices).some((p: Data) => p > 100),
  maxPrice: ({ payload }) => Math.max(...Object.values<Data>(payload.prices)) > 100,
  sumPrices: ({ payload }) => Object.values<Data>(payload.prices).reduce((a: Data, b: Data) => a + b, 0) > 500,
  hasFlag: ({ payload }) => 'beta' in payload.flags,
  hasPrice: ({ payload }) => Object.keys(payload.prices).includes('gold'),
  priceOf: ({ payload }) => Object.entries<Data>(payload.prices).find(([k]: Data) => k === 'gold')?.[1] > 5,
  bothFlags: ({ payload }) => payload.flags.beta && payload.flags.alpha,
  everyTag: ({ payload }) => payload.tags.every(Boolean),
  everyBegins: ({ payload }) => payload.tags.every((t: Data) => t.startsWith('x-')),
  joinedTags: ({ payload }) => payload.tags.join(',') === 'a,b',
  firstSorted: ({ payload }) => payload.tags.sort()[0] === 'aaa',
  laterTag: ({ payload }) => payload.tags.indexOf('vip') > 0,
  amongFirst: ({ payload }) => payload.tags.slice(0, 2).includes('vip'),
  notMuted: ({ payload }) => !payload.tags.includes('muted'),
  indexOne: ({ payload }) => payload.tags.findIndex((t: Data) => t === 'vip') === 1,
  oddCount: ({ payload }) => payload.tags.length % 2 === 1,
  asMany: ({ payload }) => payload.tags.length >= payload.n,
  twice: ({ payload }) => new Set(payload.tags).size !== payload.tags.length,
  longTags: ({ payload }) => payload.tags.filter((t: Data) => t.length > 10).length >= 2,
  someOfTwo: ({ payload }) => payload.tags.some((t: Data) => ['vip', 'gold'].includes(t)),
  lastTag: ({ payload }) => payload.tags.at(-1) === 'end',
  firstTwo: ({ payload }) => {
    const [a, b] = payload.tags
    return a === 'x' && b === 'y'
  },
  ratio: ({ payload }) => payload.n / payload.m > 2,
  difference: ({ payload }) => payload.n - payload.m > 100,
  close: ({ payload }) => Math.abs(payload.n - payload.m) < 5,
  withTax: ({ payload }) => payload.n * 1.2 > payload.m,
  squared: ({ payload }) => payload.n ** 2 > 10000,
  fixed: ({ payload }) => payload.n.toFixed(2) === '1.50',
  twoRanges: ({ payload }) => payload.n > 10 && payload.n < 20 && payload.m > 30 && payload.m < 40,
  noNumber: ({ payload }) => Number.isNaN(Number(payload.type)),
  parsed: ({ payload }) => parseInt(payload.type, 10) > 500,
  minusOne: ({ payload }) => payload.n === -1,
  sign: ({ payload }) => Math.sign(payload.n) === -1,
  unsigned: ({ payload }) => payload.n >>> 0 === payload.n,
  twoRemainders: ({ payload }) => payload.n % 15 === 0 && payload.m % 7 === 3,
  remaining: ({ payload }) => 100 - payload.n < 10,
  percent: ({ payload }) => {
    const pct = (payload.n / payload.m) * 100
    return pct >= 80 && pct < 100
  },
  literalFirst: ({ payload }) => 1000 < payload.n,
  weekAgo: ({ payload }) => new Date(payload.at).getTime() < Date.now() - 7 * 24 * 60 * 60 * 1000,
  today: ({ payload }) => payload.day === new Date().toISOString().slice(0, 10),
  sunday: ({ payload }) => new Date(payload.day).getDay() === 0,
  atNight: ({ payload }) => new Date(payload.at).getUTCHours() >= 22 || new Date(payload.at).getUTCHours() < 6,
  afterDay: ({ payload }) => new Date(payload.at) > new Date(payload.day),
  year: ({ payload }) => payload.at.slice(0, 4) === '2027',
  dayApart: ({ payload }) => Date.parse(payload.at) - Date.parse(payload.day) > 86400000,
  christmasEve: ({ payload }) => new Date(payload.day).getMonth() === 11 && new Date(payload.day).getDate() === 24,
  inMarch: ({ payload }) => new Date(payload.at).toISOString().startsWith('2027-03'),
  weekend: ({ payload }) => [0, 6].includes(new Date(payload.at).getDay()),
  nameOfDay: ({ payload }) =>
    new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(payload.at)) === 'Monday',
  noPlan: ({ payload }) => payload.user.plan === undefined,
  freePlan: ({ payload }) => (payload.user.plan ?? 'free') === 'free',
  notFree: ({ payload }) => payload.user.plan !== 'free',
  countryAndPlan: ({ payload }) => payload.user?.address?.country === 'DE' && payload.user.plan === 'pro',
  countryOfThree: ({ payload }) => {
    const {
      user: {
        address: { country },
      },
    } = payload
    return ['DE', 'AT', 'CH'].includes(country)
  },
  firstLetter: ({ payload }) => payload.user.first[0] === 'A',
  firstLower: ({ payload }) => payload.user.first.charAt(0).toLowerCase() === 'a',
  localeCompare: ({ payload }) => payload.user.first.localeCompare('M') > 0,
  before: ({ payload }) => payload.user.first < 'M',
  palindrome: ({ payload }) => payload.user.first.split('').reverse().join('') === payload.user.first,
  blank: ({ payload }) => payload.user.first.trim() === '',
  untrimmed: ({ payload }) => payload.user.first !== payload.user.first.trim(),
  hasDigit: ({ payload }) => /\d/.test(payload.user.last),
  threeCapitals: ({ payload }) => payload.user.last.match(/[A-Z]/g)?.length >= 3,
  tenDigits: ({ payload }) => payload.user.last.replace(/\D/g, '').length === 10,
  encoded: ({ payload }) => encodeURIComponent(payload.user.last) !== payload.user.last,
  normalized: ({ payload }) => payload.user.last.normalize('NFD') !== payload.user.last,
  roleInList: ({ payload }) => payload.user.role.split(',').includes('admin'),
  domain: ({ payload }) => payload.user.role.endsWith('@acme.com'),
  domainPart: ({ payload }) => payload.user.role.split('@')[1] === 'acme.com',
  sumOfLengths: ({ payload }) => payload.user.first.length + payload.user.last.length > 40,
  zeros: ({ payload }) => payload.user.role.padStart(8, '0') === '00000042',
  beyondAscii: ({ payload }) => payload.user.role.codePointAt(0) > 127,
  fractionOfCode: ({ payload }) => payload.user.role.charCodeAt(0) >= 0.5,
  anyCode: ({ payload }) => payload.user.role.charCodeAt(0) > 0,
  lastCode: ({ payload }) => payload.user.role.codePointAt(0) > 0x10fffe,
  noDate: ({ payload }) => Number.isNaN(Date.parse(payload.user.role)),
  localeOf: ({ subscriber }) => subscriber.locale?.startsWith('de'),
  dataPlan: ({ subscriber }) => subscriber.data?.plan === 'pro',
  noMail: ({ subscriber }) => !subscriber.email,
  timezone: ({ subscriber }) => subscriber.timezone === 'Europe/Berlin',
  logins: ({ subscriber }) => subscriber.data?.loginCount > 10,
  hasNames: ({ subscriber }) => subscriber.firstName && subscriber.lastName,
  dataRoles: ({ subscriber }) => (subscriber.data?.roles ?? []).includes('admin'),
  phone: ({ subscriber }) => subscriber.phone?.startsWith('+49'),
  production: ({ env }) => env.name === 'Production',
  tenantPlan: ({ context }) => context.tenant?.data?.plan === 'enterprise',
  noContext: ({ context }) => Object.keys(context).length === 0,
}

test.each(Object.entries(conditions))('both sides are found of %s', async (_name, isMet) => {
  expect(await sidesOf(isMet, { payloadSchema })).toEqual(['no', 'yes'])
  expect(await sidesOf(isMet, {})).toEqual(['no', 'yes'])
})

test('a joined text that ends like the item of a list is tried as early as another', async () => {
  const fields = ['a', 'b', 'c'] as const
  const toList = (name: string): string => JSON.stringify(Array.from({ length: 25 }, (_, index) => name + index))
  const isMet = ({ payload }: Data): boolean => {
    for (const name of fields) if (JSON.parse(toList(name)).includes(payload[name])) return false
    return `${payload.kind}/${payload.n}` === 'order/15'
  }
  const others = fields.map((name) => `if (${toList(name)}.includes(payload.${name})) return false;`)
  isMet.toString = () =>
    `({ payload }) => { ${others.join(' ')} return \`\${payload.kind}/\${payload.n}\` === 'order/15' }`
  expect(await sidesOf(isMet, { payloadSchema: z.record(z.string(), z.string()) })).toEqual(['no', 'yes'])
  expect(await sidesOf(isMet, {})).toEqual(['no', 'yes'])
})

test('a pattern that takes for ever over digits holds nothing up', async () => {
  const isMet = ({ payload }: Data): boolean => payload.phone.replace(/(\d+)+x/g, '').length > 27
  const startMs = processorMs()
  expect(await sidesOf(isMet, {})).toEqual(['no', 'yes'])
  expect(processorMs() - startMs).toBeLessThan(1500)
})
