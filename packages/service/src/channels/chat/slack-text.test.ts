import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shorten } from '../base/shorten.ts'
import { escapeSlack, fromSlackText, toSlackLink } from './slack-text.ts'

test.each([
  ['hello', 'hello'],
  ['<@UBOT> hello', 'hello'],
  ['<@UBOT|bot>, hello', 'hello'],
  ['<@U1> hello <@UBOT>', '@U1 hello @UBOT'],
  ['<@U1|ada> <#C1|general> <!here> <!subteam^S1|@team>', '@ada #general @here @team'],
  [
    '<https://a.test> <https://a.test|a.test> <https://a.test|https://a.test>',
    'https://a.test a.test (https://a.test) https://a.test',
  ],
  ['<mailto:a@b.test|a@b.test>', 'a@b.test'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt;', '1 < 2 && 3 > 2, &lt;'],
  ['<', '<'],
])('converts %j from Slack to plain text', (text, expected) => {
  expect(fromSlackText(text, ['UBOT'])).toBe(expected)
})

test('escaped text survives a round trip unchanged', () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('&', 'lt;', 'amp;', '<', '>', '@', '|', 'a')).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect(fromSlackText(escapeSlack(given))).toBe(given)
    }),
  )
})

test('truncates text at character boundaries', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('abcd', 3)).toBe('ab…')
  expect(shorten('a😀bc', 3)).toBe('a…')
})

test('creates only web and email links', () => {
  expect(toSlackLink('https://a.test', 'a <b>')).toBe('<https://a.test|a &lt;b&gt;>')
  expect(toSlackLink('javascript:alert(1)', 'a')).toBeUndefined()
})
