import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type LiquidEngine, liquidEngine } from '../templates/liquid-engine.ts'
import { createRenderBudget } from '../templates/render-budget.ts'
import { findTextFault } from './find-text-fault.ts'
import { parseLocale, toLocaleChain } from './locale.ts'
import { createTranslator } from './translator.ts'

const translations: Readonly<Record<string, object>> = {
  en_US: { hi: 'Hi {{ subscriber.firstName }}', cart: { one: 'one item' }, 'a.b': 'dotted' },
  de: { hi: 'Hallo {{ subscriber.firstName | default: "du" }}' },
  pt_PT: { hi: '<b>Olá</b> {{ subscriber.firstName }}' },
}
let engine: LiquidEngine
beforeAll(async () => {
  engine = await liquidEngine()
})

interface Given {
  readonly texts?: typeof translations
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Translates a text; also returns the missing keys. */
function translate(
  text: string,
  locale: unknown,
  isHtml = false,
  { texts = translations, variables = { subscriber: { firstName: 'A<da>' } } }: Given = {},
) {
  const missing = new Set<string>()
  const chain = toLocaleChain(locale, Object.keys(texts)).map((name) => ({ ...texts[name] }))
  const budget = createRenderBudget({ memory: 1_000_000, output: 1_000_000 })
  const translator = createTranslator({ engine, contents: chain, variables, isHtml, budget, missing })
  return { text: translator.translate(text), missing: [...missing] }
}

describe('text with translations', () => {
  it.each([
    ['de', 'Hallo A<da>'],
    ['de_AT', 'Hallo A<da>'],
    ['DE-ch', 'Hallo A<da>'],
    ['pt_BR', '<b>Olá</b> A<da>'],
    ['fr_FR', 'Hi A<da>'],
    [undefined, 'Hi A<da>'],
    ['no locale at all', 'Hi A<da>'],
  ])('for the locale %s is %s', (locale, text) => {
    expect(translate('{{ t.hi }}', locale)).toEqual({ text, missing: [] })
  })

  it('falls back key by key', () => {
    expect(translate('{{t.hi}}: {{t.cart.one}}, {{ t["a.b"] }}, {{ t.a.b }}', 'de').text).toBe(
      'Hallo A<da>: one item, dotted, dotted',
    )
  })

  it("escapes variables in HTML, and keeps the translation's markup", () => {
    expect(translate('{{ t.hi }}', 'pt_PT', true).text).toBe('<b>Olá</b> A&lt;da&gt;')
  })

  it('reports missing keys and outputs them unchanged', () => {
    expect(translate('{{ t.nothing }} {{ t.cart }} {{ t.hi | nofilter }}', 'de')).toEqual({
      text: '{{ t.nothing }} {{ t.cart }} {{ t.hi | nofilter }}',
      missing: ['nothing', 'cart', 'hi'],
    })
    expect(translate('{{ t.nothing | default: "x" }}', 'de')).toEqual({ text: 'x', missing: [] })
  })

  it('applies filters to the translated text', () => {
    expect(translate('{{ t.cart.one | upcase }}', 'de').text).toBe('ONE ITEM')
  })

  it('never renders the output of a value or a translation again', () => {
    const texts = { en: { a: '{{ payload.b }} {{ t.c }}', c: 'never' } }
    const variables = { payload: { b: '{{ t.c }}' } }
    expect(translate('{{ t.a }}', 'en', false, { texts, variables }).text).toBe('{{ t.c }} {{ t.c }}')
  })

  it.each([
    ['{% if payload.count == 1 %}one item{% else %}{{ payload.count }} items{% endif %}', 'one item', '3 items'],
    ['{% case payload.count %}{% when 1 %}first{% else %}next{% endcase %}', 'first', 'next'],
    ['{{ payload.count | plus: 1 }}', '2', '4'],
    ['{{ payload.names | join: " and " }}', 'Ann', 'Ann and Bob and Cem'],
    ['{% for name in payload.names %}{{ name }};{% endfor %}', 'Ann;', 'Ann;Bob;Cem;'],
    ['{% raw %}{{{ payload.count }}}{% endraw %}', '{{{ payload.count }}}', '{{{ payload.count }}}'],
  ])('renders %s', (text, ofOne, ofThree) => {
    const render = (names: readonly string[]) =>
      translate('{{ t.text }}', 'en', false, {
        texts: { en: { text } },
        variables: { payload: { count: names.length, names } },
      }).text
    expect([render(['Ann']), render(['Ann', 'Bob', 'Cem'])]).toEqual([ofOne, ofThree])
  })

  it('shows any value as it is', () => {
    const value = fc.string({
      unit: fc.constantFrom('{{', '}}', '{%', '%}', '{{ t.hi }}', '<', '&', '"', "'", 'a', ' '),
    })
    fc.assert(
      fc.property(value, (x) => {
        const given = { texts: { en: { x: '[{{ payload.x }}]' } }, variables: { payload: { x } } }
        expect(translate('{{ t.x }}', 'en', false, given).text).toBe(`[${x}]`)
        expect(translate('{{ t.x }}', 'en', true, given).text).not.toMatch(/[<>"']/)
      }),
    )
  })

  it.each([
    ['{% for a in (1..1000) %}{% for b in (1..1000) %}{% endfor %}{% endfor %}', 'parts'],
    ['{% for a in (1..100) %}{{ payload.x }}{% endfor %}', 'characters of output'],
    ['{% assign a = payload.x %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}', 'units of memory'],
    [`{{ payload.x${' | upcase | append: payload.x'.repeat(99)} }}`, 'units of memory'],
  ])('with %s reaches a limit', (text, unit) => {
    const given = { texts: { en: { text } }, variables: { payload: { x: 'x'.repeat(100_000) } } }
    expect(() => translate('{{ t.text }}', 'en', false, given)).toThrow(unit)
  })

  it('is unchanged if it contains no output tags of t', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '{{', '}}', ' ', 't', 'x', '|', 'payload.a', '[') })
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(!/\{\{\{?\s*t\s*[.[]/.test(value))
        expect(translate(value, 'de')).toEqual({ text: value, missing: [] })
      }),
    )
  })

  it('is rendered quickly even with a megabyte of braces', () => {
    const started = process.cpuUsage().user / 1000
    for (const piece of ['{{', '{{ t', '{{ t.', '{', '{{ t.hi }'] as const) translate(piece.repeat(200_000), 'de')
    expect(process.cpuUsage().user / 1000 - started).toBeLessThan(2000)
  })
})

describe('the check of a text', () => {
  it.each([
    ['{{ payload.a | upcase }} {{{ payload.html }}} {% if payload.b %}x{% endif %}', undefined],
    ['{{ open', 'not closed'],
    ['{% if x %}', 'not closed'],
    ['{{#if payload.a}}x{{/if}}', '{% if payload.vip %}'],
    ['{{ a | nofilter }}', 'nofilter (line 1, column 1)'],
    ['{% nothing %}', 'nothing'],
    ['{% include "x" %}', 'include'],
    ['{{ t.other }}', 'another translation'],
    ['{% if t.other %}x{% endif %}', 'must be written as {{ t.key }} (line 1, column 7)'],
    ['{% if x %}'.repeat(50_000), 'n'],
  ])('of %s finds %s', async (text, fault) => {
    const found = await findTextFault([
      { path: ['fine'], text: '{{ payload.a }}' },
      { path: ['a', 'b'], text },
    ])
    if (fault === undefined) expect(found).toBeNull()
    else expect(found).toEqual({ path: ['a', 'b'], message: expect.stringContaining(fault) })
  })
})

describe('a locale', () => {
  it.each([
    ['en', 'en'],
    ['EN-us', 'en_US'],
    ['zh-hANT-tw', 'zh_Hant_TW'],
    ['es_419', 'es_419'],
    ['', undefined],
    ['english', undefined],
    ['en_', undefined],
    ['../en', undefined],
    [7, undefined],
  ])('%s is parsed as %s', (text, locale) => {
    expect(parseLocale(text)).toBe(locale)
  })

  it('falls back to itself, its parents, its language, then the default', () => {
    const availableLocales = ['de', 'zh', 'zh_Hant', 'zh_Hans_CN', 'en', 'en_US', 'zh_Hant_TW']
    expect(toLocaleChain('zh_Hant_TW', availableLocales)).toEqual([
      'zh_Hant_TW',
      'zh_Hant',
      'zh',
      'zh_Hans_CN',
      'en_US',
      'en',
    ])
    expect(toLocaleChain('it', availableLocales)).toEqual(['en_US', 'en'])
  })
})
