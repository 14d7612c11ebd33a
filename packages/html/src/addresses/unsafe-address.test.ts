import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attacks } from '../clean/attacks.fixture.ts'
import { sanitizeHtml } from '../clean/sanitize-html.ts'
import { findFilledAddress, findUnsafeAddress } from './unsafe-address.ts'

describe('an unsafe address', () => {
  it.each([
    ['<a href="javascript:x">', 'href', 'javascript'],
    ["<IMG SRC='vbscript:x'>", 'src', 'vbscript'],
    ['<a href=java&#9;script&colon;x>', 'href', 'javascript'],
    ['<img srcset="a.png 1x, data:text/html,x 2x">', 'srcset', 'data'],
    ['<img src="\\\\host\\share">', 'src', 'file'],
    ['<!--[if mso]><a href="javascript:x">x</a><![endif]-->', 'href', 'javascript'],
    ['<!-- <!-- <a href="javascript:x"> -->', 'href', 'javascript'],
    ['<style><a href="javascript:x"></style>', 'href', 'javascript'],
    ['text <a href="javascript:x', 'href', 'javascript'],
    ["text <a href='javascript:x", 'href', 'javascript'],
    ['text <a href=javascript:x', 'href', 'javascript'],
  ])('is found in %s', (html, attribute, scheme) => {
    expect(findUnsafeAddress(html, 'email')).toEqual({ attribute, scheme })
  })

  it('is found in a tag with more attributes than a function has arguments', () => {
    const html = `<a ${'b '.repeat(200_000)}href="javascript:x">`
    expect(findUnsafeAddress(html, 'email')).toEqual({ attribute: 'href', scheme: 'javascript' })
  })

  it.each([
    '<a href="/orders/7">',
    '<a href="{{ link | default: "/x" }}">',
    '<a href="https://a.example/?q=javascript:x">',
    'href="javascript:x"',
    '< a href=javascript:x>',
  ])('is not found in %s', (html) => {
    expect(findUnsafeAddress(html, 'inApp')).toBeUndefined()
  })

  it('is never found in sanitized HTML', () => {
    const anyAttacks = fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string()), { maxLength: 5 })
    fc.assert(
      fc.property(anyAttacks, fc.constantFrom('email', 'inApp'), (parts, position) => {
        expect(
          findUnsafeAddress(sanitizeHtml(parts.join(''), position as 'email'), position as 'email'),
        ).toBeUndefined()
      }),
    )
  })

  it('can be written by the author, but not inserted through a value', () => {
    const written = '<a href="javascript:own()">x</a>'
    expect(findFilledAddress(`${written}{{ x }}`, `${written}y`, 'email')).toBeUndefined()
    expect(findFilledAddress('<a href="{{ x }}">', '<a href="data:text/html,x">', 'email')).toEqual({
      attribute: 'href',
      scheme: 'data',
    })
    expect(findFilledAddress('<p title={{ x }}>', '<p title=a onclick=b>', 'email')).toEqual({ attribute: 'onclick' })
  })
})
