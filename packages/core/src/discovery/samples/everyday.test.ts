import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const payloadSchema = z.object({
  name: z.string(),
  text: z.string(),
  plan: z.string(),
  kind: z.string().optional(),
  n: z.number(),
  m: z.number(),
  price: z.number(),
  qty: z.number(),
  limit: z.number(),
  total: z.number(),
  flag: z.boolean(),
  flag2: z.boolean(),
  scores: z.array(z.number()),
  tags: z.array(z.string()),
  list: z.array(z.string()),
  a: z.string(),
  b: z.string(),
  email: z.email(),
  url: z.url(),
  version: z.string(),
  path: z.string(),
  selectedId: z.string(),
  currency: z.string(),
  dueAt: z.iso.datetime().nullable(),
  flags: z.object({ x: z.boolean(), y: z.boolean() }),
  prefs: z.record(z.string(), z.boolean()),
  meta: z.object({ x: z.object({ y: z.number() }).optional() }).optional(),
  any: z.any(),
  items: z.array(z.object({ id: z.string(), price: z.number(), ok: z.boolean(), status: z.string(), qty: z.number() })),
  address: z.object({ country: z.string(), zip: z.string().optional() }).nullable(),
  u: z.union([z.string(), z.number()]),
  du: z.discriminatedUnion('t', [
    z.object({ t: z.literal('card'), last4: z.string() }),
    z.object({ t: z.literal('bank'), iban: z.string() }),
  ]),
  date: z.iso.date(),
  time: z.number(),
})

/** Conditions as they stand in workflows; each has two sides. */
const conditions: Readonly<Record<string, (context: Data) => unknown>> = {
  typeofS: ({ payload }) => typeof payload.u === 'string',
  isArr: ({ payload }) => Array.isArray(payload.any),
  notBoth: ({ payload }) => payload.flag && !payload.flag2,
  eq: ({ payload }) => payload.a === payload.b,
  ne: ({ payload }) => payload.n !== payload.m,
  vals: ({ payload }) => Object.values(payload.flags).some(Boolean),
  every: ({ payload }) => Object.values(payload.flags).every(Boolean),
  entries: ({ payload }) => Object.entries(payload.prefs).filter(([, v]: Data) => v).length > 1,
  lenTotal: ({ payload }) => payload.items.length !== payload.total,
  sumLimit: ({ payload }) => payload.items.reduce((s: Data, i: Data) => s + i.price, 0) > payload.limit,
  prod: ({ payload }) => payload.price * payload.qty > 1000,
  prodItems: ({ payload }) => payload.items.reduce((s: Data, i: Data) => s + i.price * i.qty, 0) >= 250,
  max: ({ payload }) => Math.max(...payload.scores) > 90,
  min: ({ payload }) => Math.min(...payload.scores) < 10,
  avg: ({ payload }) => payload.scores.reduce((a: Data, b: Data) => a + b, 0) / payload.scores.length > 75,
  round: ({ payload }) => Math.round(payload.n) === 3,
  lenMod: ({ payload }) => payload.name.length % 2 === 0,
  sameMail: ({ payload, subscriber }) => payload.email === subscriber.email,
  bothNames: ({ subscriber }) => subscriber.firstName && subscriber.lastName,
  locOr: ({ subscriber }) => subscriber.locale === 'de-DE' || subscriber.locale === 'fr-FR',
  locPart: ({ subscriber }) => ['de', 'at', 'ch'].includes(subscriber.locale?.split('-')[1]?.toLowerCase()),
  locLang: ({ subscriber }) => subscriber.locale?.split(/[-_]/)[0] === 'ja',
  tagsOr: ({ payload }) => payload.tags.includes('urgent') || payload.tags.includes('vip'),
  allowed: ({ payload }) => payload.tags.every((t: Data) => ['a', 'b'].includes(t)),
  none: ({ payload }) => !payload.tags.some((t: Data) => t === 'muted'),
  due: ({ payload }) => payload.dueAt && new Date(payload.dueAt) < new Date(),
  dueNull: ({ payload }) => payload.dueAt === null,
  mapOpt: ({ payload }) => (({ paid: { notify: true }, open: { notify: false } }) as Data)[payload.plan]?.notify,
  kindLower: ({ payload }) => payload.kind?.toLowerCase() === 'invoice',
  amtCur: ({ payload }) => payload.price >= 100 && payload.currency === 'EUR',
  regexI: ({ payload }) => /urgent|asap/i.test(payload.text),
  https: ({ payload }) => payload.url.startsWith('http://'),
  urlPort: ({ payload }) => new URL(payload.url).port === '8080',
  urlPath: ({ payload }) => new URL(payload.url).pathname.startsWith('/admin'),
  urlQ: ({ payload }) => new URL(payload.url).searchParams.get('utm') === 'mail',
  major: ({ payload }) => Number(payload.version.split('.')[0]) > 2,
  semver: ({ payload }) => payload.version.split('.').map(Number)[1] >= 10,
  isInt: ({ payload }) => Number.isInteger(payload.n),
  isNaN: ({ payload }) => Number.isNaN(Number(payload.text)),
  indexOf: ({ payload }) => payload.list.indexOf('x') !== -1,
  slice: ({ payload }) => payload.list.slice(0, 2).includes('x'),
  join: ({ payload }) => payload.list.join(',') === 'a,b',
  sort: ({ payload }) => payload.list.toSorted()[0] === 'aaa',
  last: ({ payload }) => payload.items.at(-1)?.status === 'done',
  find: ({ payload }) => payload.items.find((i: Data) => i.id === payload.selectedId),
  findPrice: ({ payload }) => (payload.items.find((i: Data) => i.id === payload.selectedId)?.price ?? 0) > 5,
  someBoth: ({ payload }) => payload.items.some((i: Data) => i.price > 100 && i.ok),
  everyOk: ({ payload }) => payload.items.every((i: Data) => i.ok),
  filterCount: ({ payload }) => payload.items.filter((i: Data) => i.status === 'open').length > 2,
  allDone: ({ payload }) => payload.items.length > 0 && payload.items.every((i: Data) => i.status === 'done'),
  uniq: ({ payload }) => new Set(payload.list).size !== payload.list.length,
  uniqOne: ({ payload }) => new Set(payload.items.map((i: Data) => i.status)).size === 1,
  metaIn: ({ payload }) => payload.meta && 'x' in payload.meta,
  metaDeep: ({ payload }) => payload.meta?.x?.y === 1,
  matchGroup: ({ payload }) => payload.path.match(/^\/teams\/(\w+)/)?.[1] === 'admin',
  xor: ({ payload }) => payload.flag !== payload.flag2,
  addrNull: ({ payload }) => !payload.address,
  addrCountry: ({ payload }) => payload.address?.country === 'US' && !payload.address.zip,
  zip: ({ payload }) => /^9\d{4}$/.test(payload.address?.zip ?? ''),
  du: ({ payload }) => payload.du.t === 'bank',
  duLast: ({ payload }) => payload.du.t === 'card' && payload.du.last4 === '4242',
  between: ({ payload }) => payload.n >= 10 && payload.n <= 20,
  neg: ({ payload }) => payload.n < 0,
  zero: ({ payload }) => payload.n === 0,
  abs: ({ payload }) => Math.abs(payload.n - payload.m) > 50,
  ratio: ({ payload }) => payload.n / payload.m > 0.8,
  pct: ({ payload }) => (payload.total / payload.limit) * 100 >= 80,
  float: ({ payload }) => payload.price > 0.99 && payload.price < 1,
  empty: ({ payload }) => payload.text === '',
  blank: ({ payload }) => payload.text.trim() === '',
  words: ({ payload }) => payload.text.split(' ').length > 20,
  lines: ({ payload }) => payload.text.split('\n').length > 1,
  startNum: ({ payload }) => /^\d/.test(payload.text),
  cap: ({ payload }) => payload.name[0] === payload.name[0].toUpperCase(),
  palin: ({ payload }) => payload.name.toUpperCase() === payload.name,
  incl: ({ payload }) => payload.text.toLowerCase().includes('refund'),
  end: ({ payload }) => payload.path.endsWith('.pdf'),
  ext: ({ payload }) => ['jpg', 'png'].includes(payload.path.split('.').pop()),
  dateY: ({ payload }) => payload.date.startsWith('2027'),
  dateW: ({ payload }) => [0, 6].includes(new Date(payload.date).getUTCDay()),
  ageDays: ({ payload }) => (Date.now() - new Date(payload.date).getTime()) / 86400000 > 30,
  unix: ({ payload }) => payload.time * 1000 < Date.now(),
  unix2: ({ payload }) => payload.time > Date.now() + 3600000,
  anyStr: ({ payload }) => payload.any === 'x',
  anyNum: ({ payload }) => payload.any > 5,
  anyNull: ({ payload }) => payload.any == null,
  anyObj: ({ payload }) => payload.any?.deep?.er === 'z',
  nullish: ({ payload }) => (payload.kind ?? 'none') === 'none',
  or: ({ payload }) => (payload.kind || 'std') === 'std',
  envName: ({ env }) => env.name === 'Staging',
  ctxData: ({ context }) => context.tenant?.data?.plan === 'gold',
  tzEurope: ({ subscriber }) => subscriber.timezone?.startsWith('America/'),
  noPhone: ({ subscriber }) => !subscriber.phone,
  phoneCC: ({ subscriber }) => subscriber.phone?.startsWith('+49'),
  mailDom: ({ subscriber }) => subscriber.email?.toLowerCase().endsWith('.edu'),
  dataNum: ({ subscriber }) => Number(subscriber.data?.logins ?? 0) < 3,
  dataArr: ({ subscriber }) => subscriber.data?.roles?.includes('admin'),
  dataBool: ({ subscriber }) => subscriber.data?.optOut !== true,
  dataDate: ({ subscriber }) => new Date(subscriber.data?.trialEnds) > new Date(),
}
/** What stands for any value is an object, and always true. */
const onlyWithSchema: ReadonlySet<string> = new Set(['every', 'lenTotal'])

test.each(Object.keys(conditions))('both sides are found of %s', async (name) => {
  const isMet = conditions[name] as (context: Data) => unknown
  const run = async (context: Data): Promise<void> => {
    if (isMet(context)) await context.step.sms('yes', () => ({ body: 'y' }))
    else await context.step.sms('no', () => ({ body: 'n' }))
  }
  // The literals of a function are those of its own text.
  run.toString = () => String(isMet)
  const stepsOf = async (options: object): Promise<string[]> => {
    const { body } = await ask(workflow('w', run, options), { action: 'discover' })
    return body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()
  }
  expect(await stepsOf({ payloadSchema })).toEqual(['no', 'yes'])
  if (!onlyWithSchema.has(name)) expect(await stepsOf({})).toEqual(['no', 'yes'])
})
