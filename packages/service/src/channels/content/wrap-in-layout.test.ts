import { describe, expect, it } from 'vitest'
import { checkLayout } from './check-layout.ts'
import type { Layout } from './content-input.ts'
import { wrapInLayout } from './wrap-in-layout.ts'

const layout: Layout = {
  identifier: 'l',
  content: '<h1>{{ t.head }} {{ brand }}</h1>{{{ body }}}<i>{{ payload.x }}</i>',
  defaults: { brand: 'B&B' },
  texts: [JSON.stringify({ head: 'Dear {{ subscriber.name }}' })],
}
const variables = { subscriber: { name: '<Ada>' }, payload: { x: '{{ brand }}' } }

/** Renders the content of a layout around a body. */
async function wrap(content: string, body = '<p>Body</p>', payload: object = {}): Promise<string> {
  const { html, warnings } = await wrapInLayout({ layout: { ...layout, content }, body, variables: { payload } })
  expect(warnings).toEqual([])
  return html
}

describe('a layout', () => {
  it('is rendered around a body, which is never rendered as a template', async () => {
    expect(await wrapInLayout({ layout, body: '<p>{{ brand }} & {{{ body }}}</p>', variables })).toEqual({
      html: '<h1>Dear &lt;Ada&gt; B&amp;B</h1><p>{{ brand }} & {{{ body }}}</p><i>{{ brand }}</i>',
      warnings: [],
    })
  })

  it('reports its missing translations', async () => {
    const { html, warnings } = await wrapInLayout({ layout: { ...layout, texts: [] }, body: '', variables })
    expect(html).toContain('<h1>{{ t.head }} B&amp;B</h1>')
    expect(warnings).toEqual(['No locale has a translation of "head" in the layout "l".'])
  })

  it('shows a translation literally if it looks like an output tag of the layout', async () => {
    const texts = [JSON.stringify({ head: '{{ payload.y }}' })]
    const tricky = { ...layout, content: '{{ t.head }}{{{body}}}', texts }
    const { html } = await wrapInLayout({ layout: tricky, body: '', variables: { payload: { y: '{{ brand }}' } } })
    expect(html).toBe('{{ brand }}')
  })

  it.each([
    ['{{ body }}', '<p>Body</p>'],
    ['{{body}}{{{ content }}}', '<p>Body</p><p>Body</p>'],
    ['{{ body | raw }}', '<p>Body</p>'],
    ['{{{ body | replace: "Body", "Text" }}}', '<p>Text</p>'],
    ['{% if payload.vip %}<b>VIP</b>{% endif %}{{{ body }}}', '<b>VIP</b><p>Body</p>'],
    ['{% unless payload.vip %}no{% endunless %}{{{ body }}}', '<p>Body</p>'],
    ['{% for link in payload.links %}<a>{{ link }}</a>{% endfor %}{{body}}', '<a>&lt;1&gt;</a><a>2</a><p>Body</p>'],
    [
      '{{ payload.name | escape }} {{ payload.name }} {{{ payload.name }}}{{body}}',
      'A &amp; B A &amp; B A & B<p>Body</p>',
    ],
    ['{{ payload.nothing }}{{ nobody.knows }}{{ payload.links.constructor }}{{body}}', '<p>Body</p>'],
    ['{{ t.head | upcase }}{{body}}', 'DEAR <p>Body</p>'],
    ['{{{ t.head }}}{{body}}', 'Dear <p>Body</p>'],
    ['{{ t.none | default: "x" }}{{body}}', 'x<p>Body</p>'],
    ['{% comment %}{{ t.none }}{% endcomment %}{% raw %}{{{ x }}}{% endraw %}{{body}}', '{{{ x }}}<p>Body</p>'],
    ['{% increment t %}{{ body }}', '0<p>Body</p>'],
  ])('with the content %s renders %s', async (content, html) => {
    expect(await checkLayout(content)).toBeNull()
    expect(await wrap(content, undefined, { vip: true, links: ['<1>', 2], name: 'A & B' })).toBe(html)
  })

  it.each([
    '{% for a in (1..1000) %}{% for b in (1..1000) %}{% endfor %}{% endfor %}{{body}}',
    '{{ body',
    '{{#if x}}{{/if}}',
  ])('with the content %s is ignored with a warning', async (content) => {
    const { html, warnings } = await wrapInLayout({ layout: { ...layout, content }, body: 'b', variables })
    expect(html).toBe('b')
    expect(warnings).toEqual([expect.stringMatching(/^The layout "l" is ignored, because .+\.$/)])
  })

  it('is ignored around a complete document', async () => {
    const { html, warnings } = await wrapInLayout({ layout, body: ' <!DOCTYPE html><p>', variables })
    expect(html).toBe(' <!DOCTYPE html><p>')
    expect(warnings).toEqual(['The body is a complete document, so the layout "l" is ignored.'])
  })
})

describe('the check of a layout', () => {
  it.each([
    ['{{{body}}}', null],
    ['{{ content }}', null],
    ['{% if payload.x %}{{{ body }}}{% endif %}', null],
    ['<p>no place</p>', 'placeholder'],
    ['{% if body %}{% endif %}', 'placeholder'],
    ['{{#if x}}{{{body}}}{{/if}}', 'Blocks are written in Liquid'],
    ['{% block %}{{{ body }}}', 'block'],
    ['{{{ body }}}{{ a | nofilter }}', 'nofilter (line 1, column 13)'],
    ['{{{ body }}}{% if t.a %}x{% endif %}', 'must be written as {{ t.key }}'],
    ['{{{ body }}}{{ t[payload.key] }}', 'must be written in the template'],
  ])('of %s finds %s', async (content, fault) => {
    expect(await checkLayout(content)).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})
