import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'
import { sidesOf } from './everyday.fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const text = z.object({ text: z.string() })

test.each<[string, (context: Data) => boolean | Promise<boolean>, z.ZodType | undefined]>([
  ['a longer text', ({ payload }) => payload.text.length > 10, text],
  ['a text of one length', ({ payload }) => payload.text.trim().length === 7, text],
  [
    'a text within its limits',
    ({ payload }) => payload.text.length < 30,
    z.object({ text: z.string().min(20).max(40) }),
  ],
  ['a late date', ({ payload }) => payload.at > '2027', z.object({ at: z.iso.datetime() })],
  ['an early date', ({ payload }) => payload.at < '2020-05-01', z.object({ at: z.iso.datetime() })],
  ['a day', ({ payload }) => new Date(payload.on) > new Date('2030-01-01'), z.object({ on: z.iso.date() })],
  ['a text that is a great number', ({ payload }) => Number(payload.text) > 10, text],
  ['a text that is one number', ({ payload }) => Number.parseInt(payload.text, 10) === 5, text],
  ['true', ({ payload }) => payload.vip === true, undefined],
  ['false', ({ payload }) => payload.vip === false, undefined],
  ['null', ({ payload }) => payload.vip === null, undefined],
  ['minified', ({ payload: e }) => e.vip === !0, undefined],
  ['a word in front', ({ payload }) => true === payload.vip, undefined],
  ['not true', ({ payload }) => payload.vip !== true, undefined],
  ['a field that may be anything', ({ payload }) => payload.vip === true, z.object({ vip: z.any() })],
  ['a variable', ({ env }) => env.DEBUG === false, undefined],
  ['free fields of the recipient', ({ subscriber }) => subscriber.data?.optIn === true, undefined],
  ['no free fields of the recipient', ({ subscriber }) => !subscriber.data, undefined],
  ['no field of them', ({ subscriber }) => !subscriber.data?.plan, undefined],
  ['free fields that are read without asking', ({ subscriber }) => subscriber.data.plan === 'pro', undefined],
  ['the time zone of the recipient', ({ subscriber }) => Boolean(subscriber.timezone), undefined],
  ['another time zone', ({ subscriber }) => subscriber.timezone === 'Asia/Tokyo', undefined],
  ['a regular expression', ({ payload }) => /^\d{4}-\w+$/.test(payload.text), text],
  ['a regular expression within a text', ({ payload }) => payload.text.match(/@acme\.com$/) !== null, text],
  ['what a regular expression finds', ({ payload }) => /^x/.exec(payload.text), text],
  ['a part of a text', ({ payload }) => payload.text.split('@')[1] === 'acme.com', text],
  ['one of the parts of a text', ({ payload }) => payload.text.split(',').includes('vip'), text],
  ['so many parts of a text', ({ payload }) => payload.text.split(',').length > 3, text],
  ['a beginning and a length', ({ payload }) => payload.text.startsWith('vip-') && payload.text.length > 10, text],
  ['an end and a length', ({ payload }) => payload.text.endsWith('!') && payload.text.length > 10, text],
  ['a beginning and a part', ({ payload }) => payload.text.startsWith('a') && payload.text.includes('/admin'), text],
  [
    'a part of an address that is no text',
    ({ payload }) => URL.canParse(payload.text) && new URL(payload.text).searchParams.get('\ud800') === 'x %',
    undefined,
  ],
  [
    'the host of an address',
    ({ payload }) => URL.canParse(payload.text) && new URL(payload.text).hostname === 'acme.com',
    text,
  ],
  ['a plus sign', ({ payload }) => +payload.text >= 400, text],
  ['the code of a character', ({ payload }) => payload.text.charCodeAt(0) === 65, text],
  ['a length after a default', ({ payload }) => (payload.text ?? '').length > 140, text.partial()],
  ['the domain of an address', ({ payload }) => payload.mail.endsWith('@acme.com'), z.object({ mail: z.email() })],
  ['a part of an address', ({ payload }) => payload.mail.includes('+'), z.object({ mail: z.email() })],
  ['the domain of the recipient', ({ subscriber }) => subscriber.email?.split('@')[1] === 'acme.com', undefined],
  ['a date in the past', ({ payload }) => new Date(payload.at) < new Date(), z.object({ at: z.iso.datetime() })],
  [
    'a date in the next days',
    ({ payload }) => {
      const left = Date.parse(payload.at) - Date.now()
      return left > 0 && left < 259_200_000
    },
    z.object({ at: z.iso.datetime() }),
  ],
  ['a time in the future', ({ payload }) => payload.at > Date.now(), z.object({ at: z.number() })],
  ['an hour', ({ payload }) => new Date(payload.at).getUTCHours() < 6, z.object({ at: z.iso.datetime() })],
  ['a day of the week', ({ payload }) => new Date(payload.on).getDay() === 0, z.object({ on: z.iso.date() })],
  ['a month', ({ payload }) => new Date(payload.on).getMonth() === 11, z.object({ on: z.iso.date() })],
  [
    'the order of two dates',
    ({ payload }) => payload.from > payload.to,
    z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
  ],
  [
    'the time between two dates',
    ({ payload }) => (Date.parse(payload.to) - Date.parse(payload.from)) / 3_600_000 > 24,
    z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
  ],
  ['an absent context', ({ context }) => 'tenant' in context, undefined],
  ['no context at all', ({ context }) => Object.keys(context).length === 0, undefined],
  [
    'no fields',
    ({ payload }) => Object.keys(payload.options).length === 0,
    z.object({ options: z.object({ a: z.string().optional() }) }),
  ],
  ['a field that is there', ({ payload }) => Object.hasOwn(payload, 'note'), z.object({ note: z.string().optional() })],
  [
    'so many fields',
    ({ payload }) => Object.keys(payload.meta).length > 2,
    z.object({ meta: z.record(z.string(), z.string()) }),
  ],
  [
    'two items that are so',
    ({ payload }) => payload.list.filter((item: string) => item === 'bad').length >= 2,
    z.object({ list: z.array(z.string()) }),
  ],
  [
    'two different items',
    ({ payload }) => payload.list.includes('x') && payload.list.includes('y'),
    z.object({ list: z.array(z.string()) }),
  ],
  [
    'two different items of a set, without a schema',
    ({ payload }) => {
      const set = new Set(payload.list)
      return set.has('x') && set.has('y')
    },
    undefined,
  ],
  ['a renamed field', ({ payload: { text: other } }) => other === 'x', text],
  ['a regular expression, without a schema', ({ payload }) => /@acme\.com$/.test(payload.mail), undefined],
  ['a part of a text, without a schema', ({ payload }) => payload.mail.split('@')[1] === 'acme.com', undefined],
  ['a length, without a schema', ({ payload }) => (payload.note ?? '').length > 140, undefined],
  [
    'the host of an address, without a schema',
    ({ payload }) => URL.canParse(payload.link) && new URL(payload.link).hostname === 'acme.com',
    undefined,
  ],
  [
    'a sum, without a schema',
    ({ payload }) => payload.items.reduce((sum: number, item: Data) => sum + item.price, 0) > 500,
    undefined,
  ],
  [
    'the order of two dates, without a schema',
    ({ payload }) => new Date(payload.to) > new Date(payload.from),
    undefined,
  ],
  ['a month, without a schema', ({ payload }) => new Date(payload.on).getMonth() === 11, undefined],
  [
    'a list made of a list, without a schema',
    ({ payload }) => {
      const ids = payload.items.map((item: Data) => item.sku)
      return ids.includes('X1')
    },
    undefined,
  ],
])('both sides of a condition are found: %s', async (_name, isMet, payloadSchema) => {
  const run = async (context: Data): Promise<void> => {
    if (await isMet(context)) await context.step.sms('yes', () => ({ body: 'y' }))
    else await context.step.sms('no', () => ({ body: 'n' }))
  }
  // The literals of a function are those of its own text.
  run.toString = () => String(isMet)
  const { body } = await ask(workflow('w', run, payloadSchema ? { payloadSchema } : {}), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'yes'])
})

test('many conditions that do not depend on each other are all found', async () => {
  const fields = Array.from({ length: 60 }, (_, index) => `f${index}`)
  const run = async ({ step, payload }: Data): Promise<void> => {
    for (const field of fields) if (payload[field] === `is ${field}`) await step.sms(field, () => ({ body: 'b' }))
  }
  run.toString = () => fields.map((field) => `payload.${field} === "is ${field}"`).join(';')
  const payloadSchema = z.object(Object.fromEntries(fields.map((field) => [field, z.string()])))
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(fields)
})

test('the lengths of several lists are found beside many other conditions', async () => {
  const fields = Array.from({ length: 20 }, (_, index) => `f${index}`)
  const lengths = new Map([4, 4, 8, 15, 30].map((length, index) => [`f${index * 4}`, length]))
  const run = async ({ step, payload }: Data): Promise<void> => {
    for (const field of fields) {
      const { length } = payload[field]
      if (lengths.has(field) ? length > (lengths.get(field) ?? 0) : payload[field] === `is ${field}`)
        await step.sms(field, () => ({ body: 'b' }))
    }
  }
  run.toString = () =>
    fields
      .map(
        (field) => `payload.${field}${lengths.has(field) ? `.length > ${lengths.get(field)}` : ` === "is ${field}"`}`,
      )
      .join(';')
  const payloadSchema = z.object(
    Object.fromEntries(fields.map((field) => [field, lengths.has(field) ? z.array(z.string()) : z.string()])),
  )
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(fields)
})

test('the items of a long list leave runs for what the other conditions ask', async () => {
  const tested = workflow('w', async ({ step, payload, subscriber }: Data) => {
    if (payload.currency !== 'EUR') await step.sms('currency', () => ({ body: 'b' }))
    if (subscriber.timezone === 'Europe/Paris') await step.sms('zone', () => ({ body: 'b' }))
    if (payload.people.reduce((sum: number, { age }: Data) => sum + age, 0) > 100)
      await step.sms('ages', () => ({ body: 'b' }))
    if (payload.name.startsWith('Dr')) await step.sms('title', () => ({ body: 'b' }))
    if (/^INV-\d{4}$/.test(payload.invoice)) await step.sms('invoice', () => ({ body: 'b' }))
  })
  const { body } = await ask(tested, { action: 'discover' })
  const ids = body.workflows[0].steps.map(({ stepId }: Data) => stepId)
  expect(ids).toEqual(['currency', 'zone', 'ages', 'title', 'invoice'])
})

test('the few runs of a function that waits for more than steps are for what its conditions compare', async () => {
  const tested = workflow('w', async ({ step, payload, subscriber }: Data) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (subscriber.data.plan === 'pro') await step.sms('plan', () => ({ body: 'b' }))
    if (payload.kind === 'late') await step.sms('kind', () => ({ body: 'b' }))
  })
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['plan', 'kind'])
})

test('the items that a pattern of parameters names, without a schema', async () => {
  const tested = workflow(
    'w',
    async ({
      step,
      payload: {
        list: [one, ...rest],
      },
    }: Data) => {
      if (rest.length === 0) await step.sms('alone', () => ({ body: 'b' }))
      else if (one === 'q') await step.sms('first', () => ({ body: 'b' }))
      else await step.sms('other', () => ({ body: 'b' }))
    },
  )
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['alone', 'first', 'other'])
})

test('what is searched for in a list that stands elsewhere', async () => {
  const tested = workflow(
    'w',
    async ({ step, payload }: Data) => {
      const own = new Set(['acme.com', 'example.org'])
      if (own.has(payload.text.split('@').pop())) await step.sms('yes', () => ({ body: 'y' }))
      else await step.sms('no', () => ({ body: 'n' }))
    },
    { payloadSchema: z.object({ text: z.email() }) },
  )
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'yes'])
})

test('a text that may not be empty may be blank', async () => {
  const isMet = ({ payload }: Data): boolean => payload.text.trim() === ''
  expect(await sidesOf(isMet, { payloadSchema: z.object({ text: z.string().min(1) }) })).toEqual(['no', 'yes'])
})

test('the fields of a record are of the kind that its schema says', async () => {
  const tested = workflow(
    'w',
    async ({ step, payload }) => {
      if (!Number.isFinite(payload.prices['gold'])) throw new Error('no price')
      await step.sms('priced', () => ({ body: 'y' }))
    },
    { payloadSchema: z.object({ prices: z.record(z.string(), z.number()) }) },
  )
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows?.[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['priced'])
})

test.each<[string, z.ZodType, string, readonly string[]]>([
  ['fit', z.object({ a: z.string(), b: z.string() }), 'order:paid', ['no', 'yes']],
  ['are flags', z.object({ a: z.boolean(), b: z.boolean(), c: z.boolean() }), 'true:false', ['no', 'yes']],
  ['are in the other case', z.object({ a: z.enum(['x', 'Order']), b: z.string() }), 'order:paid', ['no', 'yes']],
  ['are numbers', z.object({ a: z.number(), b: z.number() }), '7:8', ['no', 'yes']],
  ['are too long', z.object({ a: z.string().max(3), b: z.string() }), 'order:paid', ['no']],
  ['are too large', z.object({ a: z.number().max(5), b: z.number() }), '7:8', ['no']],
  ['are of no enum', z.object({ a: z.enum(['x', 'y']), b: z.string() }), 'order:paid', ['no']],
  ['are no flags', z.object({ a: z.boolean(), b: z.boolean() }), 'yes:no', ['no']],
])('a text is put together of what its schema allows: parts that %s', async (_name, payloadSchema, text, sides) => {
  // biome-ignore lint/security/noGlobalEval: the text has to stand in the function's own source text
  const isMet = eval(`({ payload }) => \`\${payload.a}:\${payload.b}\`.toLowerCase() === '${text}'`)
  expect(await sidesOf(isMet, { payloadSchema })).toEqual(sides)
})

test('steps of the function that no sample data leads to are named', async () => {
  const tested = workflow(
    'w',
    async ({ step, payload }: Data) => {
      if (JSON.parse(payload.text === '' ? '{}' : '{"a":1}').rare) await step.sms('rare', () => ({ body: 'y' }))
      await step.email('usual', () => ({ subject: 's', body: Object.keys({ sms: (id: string) => id }).join() }))
      // Another method of the same name is none of a step.
      const client = { sms: (id: string, text: string) => id + text }
      client.sms('usual', 'text')
      client.sms('no step', 'text')
      const list: string[] = []
      list.push('no step')
    },
    { payloadSchema: text },
  )
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['usual'])
  const [warning, ...others] = body.warnings ?? body.workflows[0].warnings
  expect(others).toEqual([])
  expect(warning.code).toBe('DiscoveryIncomplete')
  expect(warning.message).toContain('no sample data led to "rare": written')
})

test.each<[string, (context: Data) => boolean]>([
  ['is the same in every sample', ({ payload }) => new Date(payload.at).getUTCFullYear() % 400 === 0],
  ['is in none', ({ subscriber }) => subscriber.channels?.length > 0],
  ['comes from elsewhere', () => process.title === 'another'],
])('they are named, too, where all that decides %s', async (_name, isMet) => {
  const run = async (context: Data): Promise<void> => {
    if (isMet(context)) await context.step.sms('rare', () => ({ body: 'y' }))
    await context.step.email('usual', () => ({ subject: 's', body: 'b' }))
    for (const day of ['a', 'b']) await context.step.custom(`day-${day}`, () => ({ day }))
  }
  const { body } = await ask(workflow('w', run, { payloadSchema: z.object({ at: z.iso.datetime() }) }), {
    action: 'discover',
  })
  const [warning, ...others] = body.workflows[0].warnings
  expect([warning?.code, others]).toEqual(['DiscoveryIncomplete', []])
  expect(warning.message).toContain('no sample data led to "rare": written')
  expect(warning.message).toContain('Where a setting of the code decides')
})

test('a function of the name of a step method is none where it has no handler', async () => {
  const tested = workflow(
    'w',
    async ({ step: { sms }, payload }: Data) => {
      const digest = (text: string): string => text.slice(0, 3)
      await sms('usual', () => ({ body: digest('no step') }))
      if (payload.text === 'x') await sms('x', () => ({ body: 'x' }))
    },
    { payloadSchema: text },
  )
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.warnings ?? body.workflows[0].warnings ?? []).toEqual([])
})

test.each<[string, (context: Data) => Promise<void>, z.ZodType | undefined]>([
  [
    'a loop up to a sum, without a schema',
    async ({ step, payload }) => {
      const pages = payload.count + 1
      let total = 0
      for (let page = 1; page <= pages; page++) total += page
      await step.sms('yes', () => ({ body: String(total) }))
    },
    undefined,
  ],
  [
    'a loop over the minutes up to a date',
    async ({ step, payload }) => {
      let minutes = 0
      for (let at = Date.now(); at < Date.parse(payload.at); at += 60_000) minutes++
      await step.sms('yes', () => ({ body: String(minutes) }))
    },
    z.object({ at: z.iso.datetime() }),
  ],
  [
    'a regular expression with a repetition of repetitions',
    async ({ step, payload }) => {
      if (/^(["'])(\w+\s?)+\1$/.test(payload.text)) await step.sms('quoted', () => ({ body: 'q' }))
      await step.sms('yes', () => ({ body: 'y' }))
    },
    text,
  ],
])('does not take for ever: %s', { timeout: 10_000 }, async (_name, run, payloadSchema) => {
  const tested = workflow('w', run, payloadSchema ? { payloadSchema } : {})
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['yes'])
})

test('names of fields that nothing describes are told to be data where step ids are made of them', async () => {
  const tested = workflow('w', async ({ step, payload }: Data) => {
    for (const [channel, on] of Object.entries(payload.preferences))
      if (on) await step.custom(channel, () => ({ channel }))
  })
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].warnings.map(({ code }: Data) => code)).toContain('StepIdFromData')
})

test('a result without a schema is compared with true', async () => {
  const tested = workflow('w', async ({ step }: Data) => {
    const { sent } = await step.custom('send', () => ({ sent: true }))
    if (sent === true) await step.sms('yes', () => ({ body: 'y' }))
    else await step.sms('no', () => ({ body: 'n' }))
  })
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'send', 'yes'])
})
