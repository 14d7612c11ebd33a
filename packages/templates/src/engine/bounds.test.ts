import * as library from 'liquidjs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLiquid } from './create-liquid.ts'

const liquid = createLiquid(library, { memoryLimit: 10_000_000, renderLimit: 60_000 })
const payload = { low: 2 ** 53, text: String(2 ** 53), list: [2 ** 53], ids: [{ id: 1 }, { id: 2 }] }
const render = (template: string): string => String(liquid.parseAndRenderSync(template, { payload }))

describe('ranges whose bounds are too large to count are rejected', () => {
  const numbers = ['9007199254740992', '-18014398509481984', "'1e300'"]
  const bounds = [...numbers, 'payload.low', 'payload.text', 'payload.list', 'big']
  const places = [
    (bound: string) => `{% for i in (${bound}..${bound}) %}x{% endfor %}`,
    (bound: string) => `{% for i in (1..${bound}) %}x{% endfor %}`,
    (bound: string) => `{{ (${bound}..9007199254740999) | size }}`,
    (bound: string) => `{% tablerow i in (${bound}..2) %}x{% endtablerow %}`,
    (bound: string) => `{% assign a = (${bound}..${bound}) %}{{ a | size }}`,
    (bound: string) => `{{ payload[(${bound}..${bound})] }}`,
  ]
  // The engine parses these texts while it renders. They can only use the item's own properties.
  const inFilters = numbers.flatMap((bound) => [
    `{{ payload.ids | where: "[(${bound}..${bound})]" | size }}`,
    `{{ payload.ids | reject: "[(${bound}..9007199254740999)]" | size }}`,
  ])
  test.each([...bounds.flatMap((bound) => places.map((place) => place(bound))), ...inFilters])('%s', (template) => {
    expect(() => render(`{% assign big = 9007199254740990 | plus: 8 %}${template}`)).toThrow('a range must be between')
  })
})

test.each([
  ['{% for i in (1..3) %}{{ i }}{% endfor %}', '123'],
  ['{% assign n = 2 %}{{ (n..4) | join }}', '2 3 4'],
  ['{{ (-2147483648..-2147483647) | join }}', '-2147483648 -2147483647'],
  ['{{ (payload.missing..3) | size }}', '0'],
  ['{{ ("1".."2") | join }}', '1 2'],
])('%s prints %s', (template, text) => {
  expect(render(template)).toBe(text)
})

test('variables in ranges are still found', () => {
  expect(Object.keys(liquid.analyzeSync(liquid.parse('{% for i in (a..b.c) %}x{% endfor %}')).globals)).toEqual([
    'a',
    'b',
  ])
})

describe('lists that contain each other many times are rejected before they are compared or printed', () => {
  const doublings = [
    '{% assign a = a | push: a %}',
    '{% assign a = a | unshift: a %}',
    '{% assign a = a | concat: a | group_by: "id" %}',
    '{% assign b = a | group_by: "id" %}{% assign a = b | concat: b %}',
    '{% assign a = a | concat: a %}',
  ]
  const uses = [
    '{% if a == a %}x{% endif %}',
    '{{ a }}',
    '{% case a %}{% when a %}x{% endcase %}',
    '{{ a | json | size }}',
  ]
  test.each(doublings.flatMap((doubling) => uses.map((use) => `${doubling.repeat(40)}${use}`)))('%s', (template) => {
    expect(() => render(`{% assign a = payload.ids %}${template}`)).toThrow(/a value exceeds|memory alloc limit/)
  })
})

test('the names of properties count as well as their values', () => {
  const named = [{ ['k'.repeat(1_000_000)]: 1 }]
  const template = '{% assign a = payload.named | concat: payload.named %}{{ a | concat: a | size }}'
  expect(() => liquid.parseAndRenderSync(template, { payload: { named } })).toThrow('a value exceeds')
})

describe('the indentation of JSON', () => {
  const wide: unknown = Array.from({ length: 100_000 }, () => '')
  const levels = Array.from({ length: 90 })
  const lists = levels.reduce((inner) => [inner], wide)
  const objects = levels.reduce((inner) => ({ a: inner }), wide)

  test.each([
    ...['json: 10', 'jsonify: 10', 'inspect: 10', 'json: 2', 'json: 2.9', 'json: 1000000', 'json: payload.width'],
    ...['json: "  "', 'inspect: "          x"'],
  ])('is limited before the text is created: %s', (filter) => {
    const nodes = liquid.parse(`{{ payload.nested | ${filter} | size }}`)
    const stringify = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => stringify.mockRestore())
    for (const nested of [lists, objects]) {
      expect(() => liquid.renderSync(nodes, { payload: { nested, width: 5 } })).toThrow('memory alloc limit')
      expect(stringify.mock.calls.some(([value]) => value === nested)).toBe(false)
    }
  })

  test.each([
    ['json: 2', '[\n  1,\n  {\n    "a": []\n  }\n]'],
    ['json: "--"', '[\n--1,\n--{\n----"a": []\n--}\n]'],
    ['inspect: 1', '[\n 1,\n {\n  "a": []\n }\n]'],
    ['json: 0', '[1,{"a":[]}]'],
    ['json: -1', '[1,{"a":[]}]'],
    ['json: nil', '[1,{"a":[]}]'],
    ['json: payload', '[1,{"a":[]}]'],
    ['json: indent: 2', '[1,{"a":[]}]'],
    ['json', '[1,{"a":[]}]'],
  ])('is printed: %s', (filter, text) => {
    const payload = { list: [1, { a: [] }] }
    expect(String(liquid.parseAndRenderSync(`{{ payload.list | ${filter} }}`, { payload }))).toBe(text)
  })

  test('is counted once', () => {
    // 7 for the values and 17 for the text, of which 10 are counted before it is created.
    const small = createLiquid(library, { memoryLimit: 30 })
    const payload = { list: [1, 2, 3] }
    expect(small.parseAndRenderSync('{{ payload.list | json: 2 }}', { payload })).toBe('[\n  1,\n  2,\n  3\n]')
  })
})

test('an ordinary list can be filtered', () => {
  const items = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Item ${id}`, tags: ['a', 'b'] }))
  const template = '{{ payload.items | where: "name", "Item 7" | map: "id" | join }}'
  expect(String(liquid.parseAndRenderSync(template, { payload: { items } }))).toBe('7')
})
