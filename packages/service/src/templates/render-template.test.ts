import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { RenderLimitError } from './render-budget.ts'
import { checkTemplate, renderTemplate } from './render-template.ts'

const variables = {
  subscriber: { firstName: 'Ada & Co', 'last-name': 'Lovelace', none: null },
  payload: { list: [1, 2], count: 0, flag: false, deep: { 'a b': 'x' }, template: '{{ payload.count }}' },
}
const render = (template: string, isHtml = false): string => renderTemplate(template, { variables, isHtml })

describe('a template', () => {
  it.each([
    ['Hello {{ subscriber.firstName }}!', 'Hello Ada & Co!'],
    ['{{subscriber.last-name|upcase}}', 'LOVELACE'],
    ['{{ payload.deep["a b"] }}{{ payload.deep[\'a b\'] }}', 'xx'],
    ['{{ payload.list[1] }} of {{ payload.list }}', '2 of [1,2]'],
    ['{{ payload.count }}{{ payload.flag }}', '0false'],
    ['{{ payload.nothing | default: "you" | capitalize }}', 'You'],
    ['{{ subscriber.none }}|', '|'],
    ['{{ payload.flag | default: 7 }}', '7'],
    ['{{ nobody.knows }}', ''],
    ['{{ payload.constructor }}{{ payload.__proto__ }}{{ payload.list.length }}', '2'],
    ['{{ open', '{{ open'],
    ['{{{ open }}', '{{{ open }}'],
    ['{{ payload.count + 1 }}', '{{ payload.count + 1 }}'],
    ['{{ payload.count | plus: 1 }}', '{{ payload.count | plus: 1 }}'],
  ])('%s is rendered as %s', (template, text) => {
    expect(render(template)).toBe(text)
  })

  it('escapes values in HTML once, except with three braces', () => {
    expect(render('<b>{{ subscriber.firstName }}</b>', true)).toBe('<b>Ada &amp; Co</b>')
    expect(render('{{{ subscriber.firstName }}}', true)).toBe('Ada & Co')
    expect(render('{{ subscriber.firstName | escape }}', true)).toBe('Ada &amp; Co')
  })

  it('never renders a value as a template', () => {
    expect(render('{{ payload.template }}')).toBe('{{ payload.count }}')
  })

  it('prints any value once, regardless of its content', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, text) => {
        const plain = text.replaceAll('{', '')
        const rendered = renderTemplate(`${plain}{{ payload.x }}${plain}`, {
          variables: { payload: { x: value } },
          isHtml: false,
        })
        expect(rendered).toBe(plain + value + plain)
      }),
    )
  })

  it('never outputs markup of a value in HTML', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '{', '}') }), (value) => {
        const rendered = renderTemplate('{{ payload.x }}', { variables: { payload: { x: value } }, isHtml: true })
        expect(rendered).not.toMatch(/[<>"']/)
      }),
    )
  })

  it('with any text is rendered in linear time, and throws no unexpected errors', () => {
    const pieces = fc.constantFrom(
      '{',
      '{{',
      '}}',
      '}',
      ' ',
      '|',
      'a',
      '.',
      '[',
      '"',
      "'",
      ']',
      ':',
      '1',
      'payload.x',
      '{%',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 400 }), (parts) => {
        const template = parts.join('')
        expect(typeof render(template)).toBe('string')
        expect(Array.isArray(checkTemplate(template))).toBe(true)
      }),
      { numRuns: draws(200, 10_000) },
    )
    const started = process.cpuUsage().user / 1000
    for (const piece of ['{{', '{{ a', '{{{', '{{ a | b', '{{ a[" ']) render(piece.repeat(100_000))
    expect(process.cpuUsage().user / 1000 - started).toBeLessThan(2000)
  })

  it('is not rendered beyond its maximum length', () => {
    const big = { payload: { x: 'x'.repeat(1000) } }
    const options = { variables: big, isHtml: false, maxLength: 5000 }
    expect(renderTemplate('{{ payload.x }}'.repeat(5), options)).toHaveLength(5000)
    expect(() => renderTemplate('{{ payload.x }}'.repeat(6), options)).toThrow(RenderLimitError)
  })

  it('is not rendered if its filters process too much data, even if they print little', () => {
    const options = { variables: { payload: { x: ' '.repeat(1_000_000) } }, isHtml: false }
    expect(renderTemplate(`{{ payload.x${' | upcase'.repeat(5)} | strip }}`, options)).toBe('')
    expect(() => renderTemplate(`{{ payload.x${' | upcase'.repeat(10)} | strip }}`, options)).toThrow(RenderLimitError)
  })
})

describe('the check of a template', () => {
  it.each([
    ['{{ payload.a | upcase }} {{{ body }}}', 0],
    ['{{#if payload.a}}x{{/if}}', 2],
    ['{% if a %}', 1],
    ['{{ a | nofilter }}', 1],
    ['{{ a | nofilter }} {{ b | nofilter }}', 1],
  ])('of %s finds %i errors', (template, count) => {
    expect(checkTemplate(template)).toHaveLength(count)
  })
})
