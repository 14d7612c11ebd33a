import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlainText } from './plain-text.ts'

describe('the text of an email', () => {
  it.each([
    ['<h1>Title</h1><p>One<br>two</p>', 'Title\n\nOne\ntwo'],
    ['<ul><li>a</li><li>b &amp; c</li></ul>', '- a\n\n- b & c'],
    [
      '<p>See <a class="x" href="https://example.com/?a=1&amp;b=2">here</a>.</p>',
      'See here (https://example.com/?a=1&b=2).',
    ],
    ['<style>p { color: red }</style><script>if (a < b) {}</script>Hi', 'Hi'],
    ['<html><head><title>Hi</title><style>p {}</style><body><p>Hello</p>', 'Hello'],
    ['<head><meta charset="utf-8"><title>Hi</title></head>\n<body>Hello', 'Hello'],
    ['İİİ<STYLE>p</Style >Hi<script>never ended', 'İİİHi'],
    ['<!-- <p>hidden</p> -->shown', 'shown'],
    ['a   b\n\n c', 'a b c'],
    ['&#65;&#x42;&nbsp;&unknown;&#0;', 'AB &unknown;\ufffd'],
    ['a &copy &quot;b&QUOT; &Tab;c &ltd', 'a &copy "b" \tc &ltd'],
    ['<a title=">" href=/x>a</a> <A HREF=https://a.example/?b>b</A>', 'a b (https://a.example/?b)'],
    ['<a href="javascript:x">no</a>', 'no'],
    ['2 < 3', '2 < 3'],
    ['left <b title="cut off', 'left'],
    ['', ''],
  ])('for %s is %s', (html, text) => {
    expect(toPlainText(html)).toBe(text)
  })

  it('is created in linear time for any HTML', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '<p',
      '</p>',
      '<a href="',
      '"',
      '&',
      '&#',
      ';',
      '<!--',
      '-->',
      '<style>',
      ' ',
      'x',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 300 }), (parts) => typeof toPlainText(parts.join('')) === 'string'),
    )
    const started = process.cpuUsage().user / 1000
    for (const piece of ['<', '<a ', '<a href="', '&', '<!--', '<p>', '\n', ' ', "<a href='x' "])
      toPlainText(piece.repeat(100_000))
    expect(process.cpuUsage().user / 1000 - started).toBeLessThan(3000)
  })
})
