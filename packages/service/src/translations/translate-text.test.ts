import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRenderBudget } from '../templates/render-budget.ts'
import { parseLocale, toLocaleChain } from './locale.ts'
import { type LocaleTexts, translateText } from './translate-text.ts'

const translations: readonly LocaleTexts[] = [
  { locale: 'en_US', content: { hi: 'Hi {{ subscriber.firstName }}', cart: { one: 'one item' }, 'a.b': 'dotted' } },
  { locale: 'de', content: { hi: 'Hallo {{ subscriber.firstName | default: "du" }}' } },
  { locale: 'pt_PT', content: { hi: '<b>Olá</b> {{ subscriber.firstName }}' } },
]
const variables = { subscriber: { firstName: 'A<da>' } }
const translate = (text: string, locale: unknown, isHtml = false) =>
  translateText(text, { translations, locale, variables, budget: createRenderBudget() }, isHtml)

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
    const nested = [{ locale: 'en', content: { a: '{{ payload.b }}{{ t.c }}', c: 'never' } }]
    const options = {
      translations: nested,
      locale: 'en',
      variables: { payload: { b: '{{ t.c }}' } },
      budget: createRenderBudget(),
    }
    expect(translateText('{{ t.a }}', options, false).text).toBe('{{ t.c }}')
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
