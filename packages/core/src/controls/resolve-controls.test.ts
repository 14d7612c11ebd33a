import { type Issue, isCodedError } from '@trestle/protocol'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { processorMs } from '../../../../test/processor-time.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import { createTemplateBudget, type TemplateLimits } from './plain/template-budget.ts'
import { resolveControls } from './resolve-controls.ts'

const names = ['Ann', 'Ben', 'Cid'].map((name) => ({ payload: { name } }))
const variables = {
  payload: {
    ...{ id: 'o-1', total: 7, vip: true, none: null, list: [1, 2], address: { city: 'Ulm' } },
    ...{
      odd: { toString: 1, valueOf: 1 },
      pairs: [
        ['a', 1],
        ['b', 2],
      ],
    },
    ...{ evil: '{{ payload.id }}{% assign x = 1 %}', t: { x: 'own' }, big: 'x'.repeat(50_000), names },
  },
  subscriber: { firstName: 'Tom & "Jerry" <3' },
  actor: { subscriberId: 'boss' },
  context: { tenant: { id: 'acme', data: { plan: 'pro' } } },
  env: { name: 'Production' },
  steps: { inbox: { read: true } },
  workflow: { workflowId: 'order-shipped' },
}

interface Given {
  readonly schema?: unknown
  readonly limits?: Partial<TemplateLimits>
}

const resolve = async (given: Record<string, unknown>, { schema, limits }: Given = {}) =>
  resolveControls({
    given,
    schema: compileSchema(schema as Schema | undefined),
    variables,
    budget: createTemplateBudget(limits),
  })

const failure = async (given: Record<string, unknown>, rest: Given = {}) => {
  const error: unknown = await resolve(given, rest).catch((thrown: unknown) => thrown)
  if (!isCodedError(error)) throw new Error(`no coded error but ${JSON.stringify(error)}`)
  return error
}
const render = async (text: string) => (await resolve({ text }))['text']

describe('texts', () => {
  test.each([
    ['no braces at all', 'plain { text } %', 'plain { text } %'],
    ['a variable', 'Order {{ payload.id }}', 'Order o-1'],
    ['quotes', '{{ payload.nope | default: "none" }}{% if payload.id == "o-1" %} yes{% endif %}', 'none yes'],
    ['text is not escaped', '{{ subscriber.firstName }}', 'Tom & "Jerry" <3'],
    [
      'a number, a boolean, null, nothing',
      '{{payload.total}} {{payload.vip}} [{{payload.none}}{{payload.no}}]',
      '7 true []',
    ],
    ['lists and objects as JSON', '{{ payload.list }} {{ payload.address }}', '[1,2] {"city":"Ulm"}'],
    [
      'every variable',
      '{{actor.subscriberId}} {{context.tenant.data.plan}} {{env.name}} {{steps.inbox.read}} {{workflow.workflowId}}',
      'boss pro Production true order-shipped',
    ],
    ['a value is not read as a template', '{{ payload.evil }}!', '{{ payload.id }}{% assign x = 1 %}!'],
    ['raw', '{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
    [
      'prototypes are not seen',
      '[{{ payload.constructor }}{{ payload.__proto__ }}{{ payload.id.constructor }}{{ toString }}{{ constructor.name }}{{ __proto__ }}{{ hasOwnProperty }}{% if valueOf %}x{% endif %}]',
      '[]',
    ],
  ])('%s', async (_name, text, expected) => expect(await render(text)).toBe(expected))

  test.each([
    ['digest', '{{ payload.names | digest: 2, "payload.name" }}', 'Ann, Ben and 1 other'],
    ['digest, few', '{{ payload.names | digest: 5, "payload.name", "; " }}', 'Ann; Ben; Cid'],
    ['digest, no names', '[{{ payload.names | digest: 0, "payload.name" }}]', '[3 others]'],
    ['digest, none', '[{{ payload.nope | digest }}]', '[]'],
    ['toSentence', '{{ payload.names | toSentence: "payload.name" }}', 'Ann, Ben, and 1 other'],
    ['toSentence, all', '{{ payload.names | toSentence: "payload.name", 9 }}', 'Ann, Ben, and Cid'],
    ['toSentence, two', '{{ payload.list | toSentence }}', '1 and 2'],
    [
      'toSentence, own words',
      '{{ payload.names | toSentence: "payload.name", 1, "Person", "/", "&", " + " }}',
      'Ann + 2 Persons',
    ],
    ['pluralize', '{{ payload.names | pluralize: "person", "people" }}', '3 people'],
    ['pluralize, one', '{{ 1 | pluralize: "item" }}', '1 item'],
    ['pluralize, none', '[{{ 0 | pluralize: "item" }}]', '[]'],
    ['pluralize, no word for many', '{{ 2 | pluralize: "item", nil }}', '2 items'],
    ['pluralize, a word that is not there', '{{ 2 | pluralize: payload.none, "items" }}', '2 items'],
    ['digest, a number that is an object', '{{ payload.names | digest: payload.odd }}', '3 others'],
    ['digest, the first of each', '{{ payload.pairs | digest: 2, 0 }}', 'a, b'],
    ['digest, a path with a gap', '[{{ payload.names | digest: 5, "a..b" }}]', '[]'],
    ['digest, no separator', '{{ payload.names | digest: 5, "payload.name", nil }}', 'AnnBenCid'],
    ['pluralize, no count', '{{ payload.list | pluralize: "item", "", "false" }}', 'items'],
    ['json', '{{ payload.address | json }}', '{"city":"Ulm"}'],
  ])('are rendered with the filter %s', async (_name, text, expected) => expect(await render(text)).toBe(expected))

  test('renders nested strings, but not keys', async () => {
    expect(
      await resolve({ list: ['{{ payload.id }}', { deep: '{{ payload.total }}' }], '{{ payload.id }}': 1 }),
    ).toEqual({
      list: ['o-1', { deep: '7' }],
      '{{ payload.id }}': 1,
    })
  })

  test.each([
    ['{{ paylod.id }}', 'paylod', 1, 4],
    ['Hello\n{{ subscribr }}', 'subscribr', 2, 4],
    ['{% if pyload.a %}x{% endif %}', 'pyload', 1, 7],
    ['{{ paylod.id | default: "x" }}', 'paylod', 1, 4],
    ['{% assign total = 1 %}{{ totl }}', 'totl', 1, 26],
    ['{{ payload[paylod.key] }}', 'paylod', 1, 12],
    ['Receipt for order {{ order }}', 'order', 1, 22],
    ['{% assign total = 1 %}We assign total and capture it: {{ it }}', 'it', 1, 58],
  ])('rejects an unknown root: %s', async (text, name, line, column) => {
    const { message, data } = await failure({ a: text })
    expect(message).toContain(`unknown variable "${name}"; templates have payload, subscriber`)
    expect(data).toMatchObject({ path: '/a', line, column })
  })

  test.each([
    ['For {{ id }}', /Did you mean payload\.id\?$/],
    ['{{ firstName }}', /Did you mean subscriber\.firstName\?$/],
    ['{{ length }}', /workflow$/],
  ])('suggests the full name of a field without its root: %s', async (text, end) => {
    expect((await failure({ a: text })).message).toMatch(end)
  })

  test.each([
    ['{% if false %}{% assign x = 1 %}{% endif %}[{{ x }}]', '[]'],
    ['{% if false %}{% capture x %}1{% endcapture %}{% endif %}[{{ x }}]', '[]'],
    ['[{{ forloop.index }}]', '[]'],
    ['[{{ item }}]{% for item in payload.none %}{% endfor %}', '[]'],
    ['[{{ payload.missing.deep }}]', '[]'],
    ['{%- liquid\nfor x in payload.none\nassign y = x\nendfor\n-%}[{{ x }}{{ y }}]', '[]'],
  ])('renders a template variable without a value as an empty string: %s', async (text, expected) => {
    expect(await render(text)).toBe(expected)
  })

  test('does not let one control access another', async () => {
    const controls = {
      a: '{% assign x = 5 %}{% increment payload %}{% capture y %}z{% endcapture %}',
      b: '{{ payload.id }}',
    }
    expect(await resolve(controls)).toEqual({ a: '0', b: 'o-1' })
    for (const b of ['{{ x }}', '{{ y }}'])
      expect((await failure({ ...controls, b })).data).toMatchObject({ path: '/b' })
    expect((await failure({ a: '{% comment %}', b: 'fine' })).data).toMatchObject({ path: '/a' })
  })

  test('treats __proto__ as an ordinary key', async () => {
    const resolved = await resolve(JSON.parse('{"__proto__": "{{ payload.id }}"}') as Record<string, unknown>)
    expect(JSON.stringify(resolved)).toBe('{"__proto__":"o-1"}')
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype)
  })

  test('does not change the given data', async () => {
    const given = Object.freeze({ list: Object.freeze(['{{ payload.id }}']) })
    await resolve(given)
    expect(given).toEqual({ list: ['{{ payload.id }}'] })
    const empty = {}
    expect(
      resolveControls({ given: empty, schema: compileSchema(undefined), variables, budget: createTemplateBudget() }),
    ).toBe(empty)
  })
})

describe('translations', () => {
  test.each([
    '{{ t.hello }}',
    '{{t.a.b | upcase}}',
    '{{- t["a-b"].c -}}',
    '{% if payload.vip %}{{ t.vip }}{% else %}{{ t.other }}{% endif %}',
  ])('%s is left for the service', async (text) => {
    expect(await render(text)).toBe(text.includes('if') ? '{{ t.vip }}' : text)
  })

  test('inside blocks', async () => {
    const text =
      '{% for i in payload.list %}{{ t.row }}{{ i }}{% endfor %}{% capture c %}{{ t.c }}{% endcapture %}{{ c }}'
    expect(await render(text)).toBe('{{ t.row }}1{{ t.row }}2{{ t.c }}')
    expect(await render('{% case payload.id %}{% when "o-1" %}{{ t.x }}{% endcase %}')).toBe('{{ t.x }}')
  })

  test('t is a variable if the template defines it', async () => {
    expect(await render('{% assign t = payload.address %}{{ t.city }}')).toBe('Ulm')
    expect(await render('{% for t in payload.names %}{{ t.payload.name }}{% endfor %}')).toBe('AnnBenCid')
    expect(await render('{{ payload.t.x }}{{ payload.total }}')).toBe('own7')
  })

  test.each([
    '{% assign m = t.x %}',
    '{% echo t.x %}',
    '{{ t.a == 1 }}',
    '{{ "x" | append: t.b }}',
    '{% if t.a %}x{% endif %}',
  ])('rejects %s', async (text) => {
    const { code, message } = await failure({ a: text })
    expect(code).toBe('StepControlCompilationFailedError')
    expect(message).toContain('{{ t.key }}')
  })

  test('never return a native value', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } } }
    expect((await failure({ n: '{{ t.count }}' }, { schema })).code).toBe('ExecutionStateControlInvalidError')
  })
})

describe('types', () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'number' },
      i: { type: 'integer' },
      b: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      object: { type: 'object', properties: { city: { type: 'string' } } },
      s: { type: 'string' },
      u: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      e: { enum: [1, 2] },
      any: {},
      deep: { $ref: '#/$defs/deep' },
    },
    $defs: { deep: { type: 'object', additionalProperties: { type: 'number' } } },
  }

  test.each<[string, unknown, unknown]>([
    ['n', '{{ payload.total }}', 7],
    ['n', ' {{ payload.total | plus: 0.5 }} ', 7.5],
    ['n', '{% if payload.vip %}1{% else %}2{% endif %}', 1],
    ['n', '-12.50', -12.5],
    ['n', '{{ payload.list | size }}', 2],
    ['i', '{{ payload.list[0] }}{{ payload.list[1] }}', 12],
    ['b', '{{ payload.vip }}', true],
    ['b', '{{ payload.total > 5 and payload.vip }}', true],
    ['b', 'false', false],
    ['list', '{{ payload.list }}', ['1', '2']],
    ['list', '{{ payload.names | map: "payload" | map: "name" }}', ['Ann', 'Ben', 'Cid']],
    ['list', '["a"]', ['a']],
    ['object', '{{ payload.address }}', { city: 'Ulm' }],
    ['object', '{{ payload.address | json }}', { city: 'Ulm' }],
    ['s', '{{ payload.total }}', '7'],
    ['s', '{{ payload.list }}', '[1,2]'],
    ['s', 5, '5'],
    ['u', '{{ payload.none }}', null],
    ['u', '{{ payload.total }}', 7],
    ['e', '{{ payload.list[1] }}', 2],
    ['any', '{{ payload.total }}', '7'],
    ['deep', { x: '{{ payload.total }}' }, { x: 7 }],
    ['deep', { x: '5' }, { x: 5 }],
  ])('%s: %j becomes %j', async (key, text, expected) => {
    expect(await resolve({ [key]: text }, { schema })).toEqual({ [key]: expected })
  })

  test.each<[string, string]>([
    ['n', '007'],
    ['n', '1e3'],
    ['n', '0x10'],
    ['i', '12345678901234567890'],
    ['n', '12345678901234567.5'],
    ['n', ''],
    ['n', '{{ payload.id }}'],
    ['b', 'yes'],
    ['b', 'True'],
    ['list', '{{ payload.address }}'],
    ['list', '[1'],
    ['e', '{{ payload.total }}'],
    ['n', '{{ blank }}'],
    ['deep', '{{ blank }}'],
    ['list', '['.repeat(1000)],
  ])('%s: %j is not coerced', async (key, text) => {
    const error = await failure({ [key]: text }, { schema })
    expect(error.code).toBe('ExecutionStateControlInvalidError')
    expect(error.data).toMatchObject({ issues: [{ path: `/${key}` }] })
    expect(error.message).toContain(`/${key}`)
  })

  test('omits a control whose variable is missing', async () => {
    const required = { ...schema, required: ['n'] }
    expect((await failure({ n: '{{ payload.nope }}' }, { schema: required })).data).toEqual({
      issues: [{ path: '/n', message: 'is required' }],
    })
    expect(await resolve({ n: '{{ payload.nope }}' }, { schema })).toEqual({})
  })

  const greeting = 'Hi {{ payload.id }}'
  const kind = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), text: z.string().default(greeting) }),
    z.object({ kind: z.literal('b') }),
  ])
  const shared = z3.string()
  test.each<[string, unknown, Record<string, unknown>, object]>([
    ['in a union', z.object({ head: kind }), { head: { kind: 'a' } }, { head: { kind: 'a', text: 'Hi o-1' } }],
    [
      'in a list of a union',
      z.object({ all: z.array(kind) }),
      { all: [{ kind: 'a' }] },
      { all: [{ kind: 'a', text: 'Hi o-1' }] },
    ],
    [
      'in a record',
      z.object({ all: z.record(z.string().regex(/^x/), z.object({ text: z.string().default(greeting) })) }),
      { all: { x: {} } },
      { all: { x: { text: 'Hi o-1' } } },
    ],
    [
      'of a schema that is used twice',
      z3.object({ a: shared.optional(), b: shared.default(greeting) }),
      {},
      { b: 'Hi o-1' },
    ],
    [
      'beside a reference of draft 7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { b: { $ref: '#/definitions/t', default: greeting } },
        definitions: { t: { type: 'string' } },
      },
      {},
      { b: 'Hi o-1' },
    ],
  ])('renders a default %s like any other template', async (_name, given, controls, expected) => {
    expect(await resolve(controls, { schema: given as Schema })).toEqual(expected)
  })

  test('a value moved by a transform does not count as a default', async () => {
    const given = z
      .object({ subject: z.string(), preheader: z.string().optional() })
      .transform((all) => ({ ...all, preheader: all.preheader ?? all.subject }))
    expect(await resolve({ subject: '{{ payload.evil }}' }, { schema: given as never })).toEqual({
      subject: variables.payload.evil,
      preheader: variables.payload.evil,
    })
  })

  test('a value added by a transform does not count as a default, and rendered text is not rendered again', async () => {
    const given = z.object({ a: z.string(), head: kind }).transform((all) => ({ ...all, note: '{{ payload.id }}' }))
    const controls = { a: '{{ payload.evil }}', head: { kind: 'a' } }
    expect(await resolve(controls, { schema: given as never })).toEqual({
      a: variables.payload.evil,
      head: { kind: 'a', text: 'Hi o-1' },
      note: '{{ payload.id }}',
    })
  })

  test('keeps unknown controls', async () => {
    expect(await resolve({ more: '{{ payload.id }}' }, { schema })).toEqual({ more: 'o-1' })
  })
})

describe('defaults', () => {
  test.each<[string, unknown]>([
    ['Zod', z.object({ subject: z.string().default('Order {{ payload.id }}'), n: z.number().default(3) })],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: { subject: { type: 'string', default: 'Order {{ payload.id }}' }, n: { default: 3 } },
      },
    ],
  ])('%s: are templates too', async (_name, schema) => {
    expect(await resolve({}, { schema })).toEqual({ subject: 'Order o-1', n: 3 })
    expect(await resolve({ subject: 'Mine', n: 4 }, { schema })).toEqual({ subject: 'Mine', n: 4 })
  })

  test('renders a default inside a default', async () => {
    const schema = {
      type: 'object',
      properties: { look: { type: 'object', default: {}, properties: { title: { default: '{{ payload.id }}' } } } },
    }
    expect(await resolve({}, { schema })).toEqual({ look: { title: 'o-1' } })
  })

  const count = '{{ payload.nope }}' as never
  test.each<[string, unknown, Record<string, unknown>, string]>([
    ['JSON Schema', { type: 'object', properties: { n: { type: 'number', default: count } } }, {}, '/n'],
    ['Zod', z.object({ n: z.number().default(count) }), {}, '/n'],
    [
      'Zod, beside others',
      z.object({ n: z.number().default(count), t: z.string().default('{{ payload.id }}') }),
      {},
      '/n',
    ],
    ['Zod, a fallback', z.object({ n: z.number().catch(count) }), {}, '/n'],
    ['Zod, a prefault', z.object({ n: z.number().prefault(count) }), {}, '/n'],
    ['Zod, in a union', z.object({ u: z.union([z.object({ n: z.number().default(count) })]) }), { u: {} }, '/u/n'],
    ['Zod, in a list', z.object({ l: z.array(z.object({ n: z.boolean().default(count) })) }), { l: [{}] }, '/l/0/n'],
    ['Zod 3', z3.object({ n: z3.number().default(count) }), {}, '/n'],
    ['Valibot', v.object({ n: v.optional(v.number(), count) }), {}, '/n'],
  ])(
    '%s: omits a control whose variable is missing, and never returns the template',
    async (_name, schema, given, path) => {
      const { code, data } = await failure(given, { schema })
      expect([code, (data as { issues: Issue[] }).issues.map((issue) => issue.path)]).toEqual([
        'ExecutionStateControlInvalidError',
        [path],
      ])
    },
  )

  test('renders text with a missing variable as empty', async () => {
    expect(await resolve({}, { schema: z.object({ t: z.string().default(count) }) })).toEqual({ t: '' })
  })

  test('does not pass a library default through a transform', async () => {
    const schema = z.object({
      a: z
        .string()
        .transform((text) => `${text}!`)
        .default('x'),
    })
    expect(await resolve({}, { schema })).toEqual({ a: 'x' })
    expect(await resolve({ a: '{{ payload.id }}' }, { schema })).toEqual({ a: 'o-1!' })
    const number = z.object({ a: z.string().transform(Number).default(5) })
    expect(await resolve({}, { schema: number })).toEqual({ a: 5 })
  })

  test('rejects a schema whose defaults cannot be determined', async () => {
    const dated = z.object({ when: z.date() })
    expect((await failure({}, { schema: dated })).data).toMatchObject({
      issues: [{ message: expect.stringContaining('/when') }],
    })
    const validate = (value: unknown) => ({ value })
    const mute = { '~standard': { version: 1, vendor: 'mute', validate } }
    expect((await failure({}, { schema: mute })).code).toBe('ExecutionStateControlInvalidError')
  })
})

describe('unsupported template features', () => {
  test.each([
    '{% include ".env" %}',
    '{% render "package.json" %}',
    '{% layout "x" %}',
    '{% block x %}{% endblock %}',
    '{{ payload.list | where_exp: "x", "true" }}',
    '{{ payload.list | find_index_exp: "x", "true" }}',
    '{{ payload.list | group_by_exp: "x", "true" }}',
    '{{ payload.id | sha256 }}',
    '{{ payload.id | hmac_sha256: "" }}',
    '{{ payload.id | nope }}',
    '{{ payload.id | constructor }}',
    '{{ payload.id | __proto__ }}',
    '{% constructor %}',
    '{{ unclosed',
    '{% endif %}',
  ])('%s', async (text) => {
    const error = await failure({ a: { b: `\n${text}` } })
    expect(error.code).toBe('StepControlCompilationFailedError')
    expect(error.data).toMatchObject({ path: '/a/b', line: 2, column: 1 })
    expect(error.message).toContain('/a/b')
    expect((error.data as { message: string }).message).not.toMatch(/, line:/)
  })

  test('a filter that renders a template per item', async () => {
    const { templateEngine } = await import('./templates/template-engine.ts')
    const { liquid } = await templateEngine()
    expect(Object.keys(liquid.filters).filter((name) => name.endsWith('_exp'))).toEqual([])
    expect(Object.keys(liquid.tags)).not.toEqual(expect.arrayContaining(['include']))
  })
})

describe('limits', () => {
  const started = { at: 0 }
  const stops = async (template: string, why: RegExp, limits?: Partial<TemplateLimits>) => {
    started.at = processorMs()
    // The time limit, which a busy machine hits first, has its own test.
    const error = await failure({ a: template }, { limits: { renderMs: 60_000, ...limits } })
    expect(error.code).toBe('StepControlCompilationFailedError')
    expect(error.message).toMatch(why)
    expect(processorMs() - started.at).toBeLessThan(2000)
  }
  const doubling = (times: number) =>
    `{% assign s = "${'a'.repeat(20)}" %}{% for i in (1..${times}) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}`

  test('length of a template', () => stops(`{{ "${'x'.repeat(100_001)}" }}`, /too long/))
  test('output, by capture', () => stops(doubling(40), /output limit/))
  test('output, by a loop over a large value', () =>
    stops('{% for i in (1..5000) %}{{ payload.big }}{% endfor %}', /output limit/))
  test('output, by tablerow', () =>
    stops('{% tablerow i in (1..5000) %}{{ payload.big }}{% endtablerow %}', /output limit/))
  test('output of one control', () => stops('{% for i in (1..25) %}{{ payload.big }}{% endfor %}', /output limit/))
  test('memory of all controls together', async () => {
    const loop = '{% for i in (1..600) %}{% endfor %}'
    expect(await resolve({ a: loop }, { limits: { memoryUnits: 1000 } })).toEqual({ a: '' })
    expect((await failure({ a: loop, b: loop }, { limits: { memoryUnits: 1000 } })).data).toMatchObject({ path: '/b' })
  })
  test('memory, by a list', () => stops('{% for i in (1..1000000000) %}{% endfor %}', /memory alloc limit/))
  test('memory, by append', () =>
    stops(`{% assign s = payload.big %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}`, /limit/))
  test('memory, by join', () => stops('{{ (1..5000) | join: payload.big }}', /limit/))
  test('memory, by concat', () =>
    stops('{% assign l = (1..100) %}{% for i in (1..40) %}{% assign l = l | concat: l %}{% endfor %}', /limit/))
  test('memory, by digest', () =>
    stops('{% assign l = (1..2000) %}{% for i in (1..900) %}{% assign s = l | digest %}{% endfor %}', /memory alloc/))
  test('memory, by replace', () => stops('{{ payload.big | replace: "x", payload.big }}', /limit/))
  test('a date with a huge width', () => stops('{{ "now" | date: "%100000000d" }}', /limit/))
  test('time', () =>
    stops('{% for i in (1..900) %}{% for j in (1..900) %}{{ i }}{% endfor %}{% endfor %}', /render limit/, {
      renderMs: 50,
    }))
  test('nesting', () => stops(`${'{% if true %}'.repeat(7000)}`, /./))

  test('apply to time, memory, output and length per request, not per control', async () => {
    const loop = '{% for i in (1..900) %}{% for j in (1..900) %}{{ i }}{% endfor %}{% endfor %}'
    const text = (index: number) => `{{ payload.big }}${index}`
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, text(index)]))
    expect((await failure(many)).message).toMatch(/output limit/)
    const long = { a: `{{ "${'x'.repeat(60_000)}" }}`, b: `{{ "${'y'.repeat(60_000)}" }}` }
    expect((await failure(long)).message).toMatch(/too long in total/)
    const at = processorMs()
    await failure({ a: loop, b: loop, c: loop }, { limits: { renderMs: 50 } })
    expect(processorMs() - at).toBeLessThan(1000)
    const budget = createTemplateBudget({ renderMs: 60 })
    const request = { schema: compileSchema(undefined), variables, budget }
    await resolveControls({ ...request, given: { a: '{{ payload.id }}' } })
    const { counters } = budget
    await resolveControls({ ...request, given: { a: '{{ payload.id }}' } })
    expect(budget.counters).toBe(counters)
  })

  test('apply to the cache of parsed templates', async () => {
    const size = 90_000
    for (let index = 0; index < 600; index++) await resolve({ a: `{{ payload.id }} ${index}` })
    for (let index = 0; index < 60; index++) await resolve({ a: `${'y'.repeat(size)}{{ payload.id }} ${index}` })
    const { keptTemplates } = await import('./templates/template.ts')
    expect(keptTemplates().count).toBeLessThanOrEqual(500)
    expect(keptTemplates().weight).toBeLessThanOrEqual(4 * 2 ** 20)
    expect(keptTemplates().count).toBeGreaterThan(20)
  })
})
