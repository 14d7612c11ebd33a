import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { escapeHtml, toHtmlForms } from './escape-html.ts'

describe('text in HTML', () => {
  it('is shown as it is', () => {
    expect(escapeHtml(`Tom & "Jerry" <3 'x'`)).toBe('Tom &amp; &#34;Jerry&#34; &lt;3 &#39;x&#39;')
  })

  it('never becomes an element, an attribute or an entity', () => {
    // What a parser itself replaces or joins is left out: NUL, carriage returns, lone surrogates.
    const text = fc.string({ unit: 'grapheme' }).map((raw) => raw.replace(/[\0\r\ud800-\udfff]/g, ''))
    fc.assert(
      fc.property(text, (raw) => {
        const { childNodes } = parseFragment(`<p title="${escapeHtml(raw)}">${escapeHtml(raw)}</p>`)
        const [element] = childNodes as unknown as [
          { attrs: { value: string }[]; childNodes: { value: string; nodeName: string }[] },
        ]
        expect(childNodes).toHaveLength(1)
        expect(element.attrs.map(({ value }) => value)).toEqual([raw])
        expect(element.childNodes.map(({ value }) => value).join('')).toBe(raw)
      }),
    )
  })
})

describe('the forms of text in HTML', () => {
  it('are those of common libraries', () => {
    expect(toHtmlForms(`<'"&>`)).toEqual([
      '&lt;&#39;&#34;&amp;&gt;',
      '&lt;&#39;&quot;&amp;&gt;',
      '&lt;&#x27;&quot;&amp;&gt;',
      `&lt;'"&amp;&gt;`,
    ])
  })

  it('leave out the text itself and equal forms', () => {
    expect(toHtmlForms('plain')).toEqual([])
    expect(toHtmlForms('a & b')).toEqual(['a &amp; b'])
    expect(toHtmlForms(`it's`)).toEqual(['it&#39;s', 'it&#x27;s'])
  })
})
