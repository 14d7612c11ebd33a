import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { missedOf } from './missed-steps.fixture.ts'

describe('without a schema a word is compared under another name', () => {
  it.each([
    ["const gone = payload.deletedAt; if (gone === null) go('mail'); else go('text')", ['mail', 'text']],
    ["const isVip = payload.vip; if (isVip === true) go('mail'); else go('text')", ['mail', 'text']],
    ["const isVip = payload.vip; if (isVip !== true) go('mail'); else go('text')", ['mail', 'text']],
    ["const isVip = payload.vip; if (isVip === false) go('mail'); else go('text')", ['mail', 'text']],
    ["const { deletedAt: a } = payload.account; if (null === a) go('mail')", ['mail']],
    ["const { vip: v } = payload; if (v === !0) go('mail')", ['mail']],
    ["for (const item of payload.items) if (item === null) { go('none'); break }", ['none']],
    [
      "switch (payload.answer) { case null: go('none'); break; case true: go('yes'); break; default: go('other') }",
      ['none', 'yes', 'other'],
    ],
  ])('%s', async (body, ids) => {
    expect(await missedOf(body, ids)).toEqual([])
  })
})

describe.each(['schema', 'no schema'])('two parts of one text: %s', (kind) => {
  const of = (name: string): z.ZodType | undefined => (kind === 'schema' ? z.object({ [name]: z.string() }) : undefined)

  it.each([
    [
      'event',
      "const [entity, action] = payload.event.split('.'); if (entity === 'user') { if (action === 'created') go('a'); else if (action === 'deleted') go('b') } else go('c')",
      ['a', 'b', 'c'],
    ],
    [
      'locale',
      "const [lang, region] = payload.locale.split('-'); if (lang === 'de' && region === 'AT') go('a'); else go('b')",
      ['a', 'b'],
    ],
    [
      'version',
      "const [major, minor] = payload.version.split('.').map(Number); if (major >= 2) { if (minor > 1) go('a'); else go('b') } else go('c')",
      ['a', 'b', 'c'],
    ],
    [
      'plan',
      "const [name, seats] = payload.plan.split(':'); if (name === 'team' && Number(seats) > 50) go('a'); else go('b')",
      ['a', 'b'],
    ],
    ['key', "const parts = payload.key.split('/'); if (parts[0] === 'orders' && parts[1] === 'late') go('a')", ['a']],
  ])('%s', async (name, body, ids) => {
    expect(await missedOf(body, ids, of(name))).toEqual([])
  })
})

describe('numbers that are multiplied out', () => {
  const schema = z.object({ bytes: z.number() })

  it.each([
    ['payload.bytes > 100 * 1024 * 1024'],
    ['payload.bytes >= 5 * 1024 ** 2'],
    ['3 * 4096 < payload.bytes'],
    ['payload.bytes === 7 * 13'],
  ])('%s', async (condition) => {
    expect(await missedOf(`if (${condition}) go('big'); else go('small')`, ['big', 'small'], schema)).toEqual([])
  })
})

describe.each(['schema', 'no schema'])('what is left of a text: %s', (kind) => {
  const schema = kind === 'schema' ? z.object({ key: z.string() }) : undefined

  it.each([
    ["payload.key.startsWith('user_') && payload.key.slice(5) === 'admin'"],
    ["payload.key.startsWith('user_') && payload.key.substring('user_'.length) === 'admin'"],
    ["payload.key.startsWith('user_') && payload.key.replace('user_', '') === 'admin'"],
    ["payload.key.startsWith('user_') && payload.key.replace(/^user_/, '') === 'admin'"],
    ["payload.key.endsWith('.pdf') && payload.key.slice(0, -4) === 'invoice'"],
  ])('%s', async (condition) => {
    expect(await missedOf(`if (${condition}) go('a'); else go('b')`, ['a', 'b'], schema)).toEqual([])
  })

  it('also behind a beginning that has a name', async () => {
    const body =
      "const START = 'user:'; if (payload.key.startsWith(START)) { if (payload.key.slice(START.length) === 'admin') go('a'); else go('b') } else go('c')"
    expect(await missedOf(body, ['a', 'b', 'c'], schema)).toEqual([])
  })

  it.each([
    ['const m = /^(ORD|INV)-(\\d+)$/.exec(payload.key)', "m && m[1] === 'INV' && Number(m[2]) > 1000"],
    ['const m = payload.key.match(/^(?:(ORD)|(INV)|(CRN))-\\d+$/)', 'm?.[3]'],
    ["const m = new RegExp('^(ORD|INV)-(\\\\d+)$', 'i').exec(payload.key)", "m?.[1] === 'INV'"],
    ["const form = new RegExp('^\\\\d{4}-X$'); const m = form.test(payload.key)", 'm'],
  ])('%s; %s', async (match, condition) => {
    expect(await missedOf(`${match}; if (${condition}) go('a'); else go('b')`, ['a', 'b'], schema)).toEqual([])
  })
})

describe('without a schema', () => {
  it.each([
    ['const own = structuredClone(payload.order)', 'own.lines.length > 2'],
    ['const own = structuredClone(payload.order)', 'own.lines.some((line) => line.count > 10)'],
    ['const own = structuredClone(payload.order)', "own.customer.plan === 'pro'"],
    ['const own = structuredClone({ all: [payload.order] })', "own.all[0].kind === 'gold'"],
    [
      'const own = structuredClone(payload.order); own.lines = own.lines.filter((line) => line.count > 0)',
      'own.lines.length === 0',
    ],
  ])('a copy has what is read of it: %s; %s', async (copy, condition) => {
    const { structuredClone: before } = globalThis
    expect(await missedOf(`${copy}; if (${condition}) go('a'); else go('b')`, ['a', 'b'])).toEqual([])
    expect(structuredClone).toBe(before)
  })

  const table =
    "const steps = { mail: () => step.sms('mail', () => ({ body: 'x' })), text: () => step.sms('text', () => ({ body: 'x' })) };"
  it.each([
    [
      'for (const name of Object.entries(payload.on).filter(([, on]) => on).map(([name]) => name)) await steps[name]?.()',
    ],
    ['for (const name of Object.keys(payload.on).filter((key) => payload.on[key])) await steps[name]?.()'],
    ['for (const [name, on] of Object.entries(payload.on)) if (on) await steps[name]?.()'],
    ['for (const name of Object.keys(payload.on)) if (name in steps) await steps[name]()'],
  ])('the names of fields lead to the steps of a table: %s', async (body) => {
    expect(await missedOf(`${table} ${body}`, ['mail', 'text'])).toEqual([])
  })
})

it.each([
  ["new URL(payload.url).protocol === 'https:'", undefined],
  ["new URL(payload.url).protocol !== 'https:'", undefined],
  ["new URL(payload.url).protocol === 'https:'", z.object({ url: z.url() })],
])('both sides of the protocol of an address: %s', async (condition, schema) => {
  expect(await missedOf(`if (${condition}) go('a'); else go('b')`, ['a', 'b'], schema)).toEqual([])
})
