import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { renderTemplate } from '../templates/template.ts'
import { type TemplateEngine, templateEngine } from '../templates/template-engine.ts'
import { compilePlain } from './compile-plain.ts'
import { renderPlain } from './render-plain.ts'
import { createTemplateBudget } from './template-budget.ts'
import type { TemplateVariables } from './template-variables.ts'

const runs = draws(500, 50_000)
let engine: TemplateEngine
beforeAll(async () => {
  engine = await templateEngine()
})

class Money {
  amount = 5
  toJSON() {
    return '5 EUR'
  }
}

/** An object that the engine mistakes for a generator. */
class Steps {
  next() {
    return { done: true, value: 'last' }
  }
  throw() {}
  return() {}
}

const leaf = fc.oneof(
  fc.constantFrom<unknown>('', 'Ann <b>"O\'Neil" & co</b>', ' x ', 'ß', 'İstanbul', '{{ payload.a }}', undefined),
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1.5, 1e21, Number.NaN, 10n),
  fc.constantFrom<unknown>(new Date(0), new Date(Number.NaN), new Money(), () => 'called', [], {}),
  fc.constantFrom<unknown>({ toLiquid: () => 'liquid' }, new Map([['a', 1]]), new Steps(), new String('boxed'), /x/),
)
const { value: data } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'length', 'size', 'first', '__proto__', 'toLiquid'), tie('value')),
  ),
}))

const record = fc.record({ a: leaf, b: leaf })
const list = fc.array(fc.oneof(leaf, record), { maxLength: 3 })
const payloads = fc.record({ a: leaf, b: leaf, c: record, l: list, n: data })
const usual = fc.constantFrom('a', 'b', 'c.a', 'c.b', 'c', 'l', 'a.b').map((end) => `payload.${end}`)
const odd = fc.constantFrom(
  'n.a',
  'n.b.a',
  'n.length',
  'n.__proto__',
  'n.constructor',
  'n.size',
  'n.toLiquid',
  'b.length',
)
const path = fc.oneof(
  { weight: 20, arbitrary: usual },
  { weight: 8, arbitrary: fc.constantFrom('x', 'x.a', 'x.b', 'y', 'y.a') },
  { weight: 4, arbitrary: odd.map((end) => `payload.${end}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('subscriber.a', 'subscriber.b.c', 'steps.a.b', 'actor', 'payload', 'actor.a'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('unknown', 'nil', 'forloop.index', 'payload["a"]', 'payload.a?', 'payload.l.0'),
  },
)
const filters = [
  'upcase',
  'capitalize',
  'escape',
  "default: 'none'",
  'default: ""',
  'upcase | default: "a b"',
  'downcase ',
]
const filter = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 8, arbitrary: fc.constantFrom(...filters).map((name) => ` | ${name}`) },
  { weight: 1, arbitrary: fc.constantFrom(' | default', ' | nope', " | default: '}'", ' | upcase: 1', '|downcase') },
)
const text = fc.constantFrom('', ' ', 'Hi ', '<p class="a">', '{', '}}', '%}', '\n', '{ {', "'")
const gap = fc.constantFrom(' ', '', '  ')
const item = fc.constantFrom('x', 'x', 'y', 'payload', 'forloop')
const { nodes } = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
  node: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: fc.tuple(path, filter, gap).map(([p, f, g]) => `{{${g}${p}${f}${g}}}`) },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(path, tie('nodes')).map(([p, inner]) => `{% if ${p} %}${inner}{% endif %}`) },
    {
      weight: 1,
      arbitrary: fc.tuple(path, tie('nodes'), tie('nodes')).map(([p, a, b]) => `{%if ${p}%}${a}{%else%}${b}{%endif%}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(item, fc.oneof(fc.constantFrom('payload.l', 'payload.c.b', 'x'), path), tie('nodes'))
        .map(([name, p, inner]) => `{% for ${name} in ${p} %}${inner}{{ ${name} }},{{ ${name}.a }}{% endfor %}`),
    },
  ),
}))
const stray = fc.constantFrom(
  ...['{% else %}', '{% endfor %}', '{% endif %}', '{% break %}', '{%raw%}{{ a }}{%endraw%}', '{{- 1 }}'],
)
const templates = fc.oneof(
  { weight: 12, arbitrary: nodes },
  { weight: 1, arbitrary: fc.tuple(nodes, stray, nodes).map((parts) => parts.join('')) },
)

const variablesOf = (payload: unknown): TemplateVariables => ({
  payload,
  subscriber: { a: 'Ada', b: { c: 1 } },
  context: {},
  env: {},
  steps: Object.assign(Object.create(null), { a: { b: 'stored' } }),
  workflow: { workflowId: 'w' },
})

/** Renders a template with the engine; returns the result and the remaining budget. */
function byEngine(source: string, payload: unknown, native: boolean): unknown[] {
  const budget = createTemplateBudget()
  const value = renderTemplate(source, { path: '/t', variables: variablesOf(payload), budget, native }, engine)
  return [value, budget.outputLength]
}

test('renders a template exactly as the engine does, or leaves it to the engine', () => {
  const seen = { compiled: 0, rendered: 0 }
  fc.assert(
    fc.property(templates, payloads, fc.boolean(), (source, payload, native) => {
      const plain = compilePlain(source)
      if (!plain) return
      seen.compiled++
      const budget = createTemplateBudget()
      const rendered = renderPlain(plain, { path: '/t', variables: variablesOf(payload), budget, native })
      if (rendered) seen.rendered++
      const left = createTemplateBudget().outputLength
      const expected = rendered ? byEngine(source, payload, native) : [undefined, left]
      expect([rendered?.value, budget.outputLength]).toEqual(expected)
    }),
    { numRuns: runs },
  )
  expect(seen.compiled).toBeGreaterThan(runs / 5)
  expect(seen.rendered).toBeGreaterThan(runs / 8)
})

describe('the plain renderer', () => {
  test.each([
    ['Hi {{ subscriber.firstName }}, your order {{payload.id}}.', { id: 7 }, 'Hi , your order 7.'],
    [
      '{% for i in payload.list %}{{ i.n }} x {{ i.name | upcase }};{% endfor %}',
      { list: [{ n: 1, name: 'a' }] },
      '1 x A;',
    ],
    ['{% if payload.vip %}Dear{% else %}Hi{% endif %}', { vip: false }, 'Hi'],
    ['{{ payload.name | default: "friend" }}', { name: '' }, 'friend'],
    ['{{ payload.name | escape }}', { name: `&<>"'` }, '&amp;&lt;&gt;&#34;&#39;'],
    [
      '{% for a in payload.l %}{% for b in a %}{{ b }}{{ a }} {% endfor %}{% endfor %}',
      { l: [[1], [2]] },
      '1[1] 2[2] ',
    ],
    [
      '{% for x in payload.l %}{% for x in x %}{{ x }}{% endfor %}{{ x }};{% endfor %}',
      { l: [['a', 'b']] },
      'ab["a","b"];',
    ],
    ['{{ payload.at }} {{ payload.o }}', { at: new Date(0), o: { a: 1 } }, '1970-01-01T00:00:00.000Z {"a":1}'],
  ])('renders %s', (source, payload, expected) => {
    const plain = compilePlain(source)
    const options = { path: '/t', variables: variablesOf(payload), budget: createTemplateBudget(), native: false }
    expect(plain && renderPlain(plain, options)).toEqual({ value: expected })
  })

  test.each([
    ...[
      '{{- payload.a }}',
      '{{ payload.a | date: "%Y" }}',
      '{{ payload["a"] }}',
      '{{ t.key }}',
      '{{ payload.a.size }}',
    ],
    ...[
      '{% assign a = 1 %}',
      '{% for x in (1..3) %}{% endfor %}',
      '{% if payload.a == 1 %}{% endif %}',
      '{{ payload.a',
      '{{ }}',
    ],
    '{% if payload.a %}'.repeat(30) + '{% endif %}'.repeat(30),
  ])('leaves %s to the engine', (source) => expect(compilePlain(source)).toBeUndefined())
})

describe('rendering is limited', () => {
  const render = (source: string, payload: unknown): unknown => {
    const plain = compilePlain(source)
    return (
      plain &&
      renderPlain(plain, { path: '/t', variables: variablesOf(payload), budget: createTemplateBudget(), native: false })
    )
  }

  test('by the number of rendered parts, across all templates of a request', () => {
    const list = Array.from({ length: 1000 }, () => '')
    const loops = '{% for x in payload.l %}{% for y in payload.l %}{% endfor %}{% endfor %}'
    expect(render(loops, { l: list })).toBeUndefined()
    const budget = createTemplateBudget()
    const plain = compilePlain('{% for x in payload.l %}{{ x }}{% endfor %}')
    const again = (): unknown =>
      plain && renderPlain(plain, { path: '/t', variables: variablesOf({ l: list }), budget, native: false })
    let count = 0
    while (again() !== undefined) count++
    expect(count).toBeGreaterThan(50)
    expect(count).toBeLessThan(200)
  })

  test('by the characters that filters process', () => {
    const payload = { l: 'a&'.repeat(400_000) }
    expect(render('{{ payload.l | upcase }}', payload)).toBeDefined()
    for (const filters of [' | escape'.repeat(9), ' | upcase | downcase'.repeat(20)])
      expect(render(`{{ payload.l${filters} }}`, payload)).toBeUndefined()
  })

  test('by the length of the text during rendering', () => {
    const l = Array.from({ length: 2000 }, () => 'x'.repeat(60_000))
    const plain = compilePlain('{% for x in payload.l %}{{ x }}{% endfor %}')
    const budget = createTemplateBudget()
    const before = budget.plainParts
    const options = { path: '/t', variables: variablesOf({ l }), budget, native: false }
    expect(plain && renderPlain(plain, options)).toBeUndefined()
    expect(before - budget.plainParts).toBeLessThan(100)
    expect(render('{{ payload.l }}', { l: l.slice(0, 3) })).toBeDefined()
  })
})
