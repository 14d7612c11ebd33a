import { describe, expect, test } from 'vitest'
import { cleanHtml } from './clean-html.ts'
import { findDangers, visibleText } from './html-dangers.fixture.ts'

const inMail = (html: string): string => cleanHtml(html, 'email').html
const inApp = (html: string): string => cleanHtml(html, 'inApp').html

describe('an email keeps', () => {
  test.each([
    // Conditional comments, in all forms found in mail.
    '<!--[if !mso]> <!--><p>new</p><!-- <![endif]-->',
    '<!--[if !mso]> --><p>new</p><!-- <![endif]-->',
    '<!--[if !mso]>--><p>new</p><!--<![endif]-->',
    '<!--[if !mso]><!-- --><p>new</p><![endif]-->',
    '<!--[if !mso]><!---><p>new</p><!--<![endif]-->',
    '<!--[if !mso]><!--><p>new</p><![endif]--><p>rest</p>',
    '<!--[if !gte mso 9]><!----><p>new</p><!--<![endif]-->',
    '<![if !mso]><p>new</p><![endif]>',
    '<!--[if (gte mso 9)|(IE)]><table><tr><td><![endif]-->x<!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]-->',
    '<!--[if mso & !vml]><p>a</p><![endif]--><!--[if lt IE 9.0]><p>b</p><![endif]--><!--[IF MSO]><p>c</p><![ENDIF]-->',
    '<!--[if mso]><p>a</p><![if gte mso 12]><p>b</p><![endif]><![endif]-->',
    '<!--[if mso]><xml><w:WordDocument><w:View>Print</w:View></w:WordDocument></xml><![endif]-->',
    // Placeholders that mail services fill in.
    '<a href="https://x.test" clicktracking="off" ses:no-track ses:tags="a:b;" disable-tracking="true">x</a>',
    '<a href="https://x.test" mc:disable-tracking mc:edit="body" data-msys-clicktrack="0" alias="Top link" conversion="true">x</a>',
    '<webversion>web</webversion> <unsubscribe>out</unsubscribe> <forwardtoafriend>on</forwardtoafriend>',
    '<singleline label="Title">t</singleline><repeater><layout label="A"><multiline>m</multiline></layout></repeater>',
    '<td pardot-region="a" mktoname="b" e:editable="c" universal="true" emb-not-inline>x</td>',
    '<a href="<%asm_group_unsubscribe_raw_url%>">out</a> <%asm_preferences_url%>, <title>a <%b%></title>',
    '<!--[if mso]><v:rect href="<%asm_group_unsubscribe_raw_url%>"><%body%></v:rect><![endif]-->',
    // Mail metadata.
    '<script type="application/ld+json">{"@context":"http://schema.org","@type":"EmailMessage"}</script>',
    '<div itemscope itemtype="http://schema.org/EmailMessage"><link itemprop="url" href="https://x.test/a"><meta itemprop="name" content="x"></div>',
    '<meta property="og:title" content="x"><base target="_blank"><link rel="stylesheet" href="http://fonts.test/a.css">',
    '<link rel="preconnect" href="https://fonts.test" crossorigin><link rel="stylesheet" href="//fonts.test/a.css">',
    '<p typeof="schema:Order" vocab="http://schema.org/" property="name" resource="#x">x</p>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML+RDFa 1.0//EN" "http://www.w3.org/MarkUp/DTD/xhtml-rdfa-1.dtd"><p>x</p>',
    '<!doctype html SYSTEM "about:legacy-compat"><p>x</p>',
    '<!DOCTYPEhtml><p>x</p>',
    // Links into other apps.
    '<a href="sip:a@b.test">a</a><a href="skype:a?call">b</a><a href="callto:+49">c</a><a href="facetime:a@b.test">d</a>',
    '<a href="facetime-audio:1">a</a><a href="sips:a@b.test">b</a><a href="msteams://x">c</a><a href="spotify:track:1">d</a>',
    // HTML that mail clients display.
    '<marquee>x</marquee><data value="1">y</data><output>z</output><div data-x--y="1" onward="no"></div>'.replace(
      ' onward="no"',
      '',
    ),
  ])('%s', (html) => {
    expect(cleanHtml(html, 'email')).toEqual({ html, removed: [], removedCount: 0 })
  })
})

describe('no text is lost in', () => {
  test.each([
    ['a<embed src="x">b', 'ab'],
    ['a<embed src=x><p>b</p>', 'a<p>b</p>'],
    ['a<svg><path d="x"><p>b</p>', 'a<p>b</p>'],
    ['<div>a<svg><g></div>b', '<div>a</div>b'],
    ['a<object data="x">b', 'ab'],
    ['a<object data="x"><param name="y">b</object>c', 'abc'],
    ['a<canvas>b', 'ab'],
    ['a<applet>b<p>c', 'ab<p>c'],
    ['a<template>b', 'ab'],
    ['a<iframe src="x"><p>b</p>', 'a<p>b</p>'],
    ['a<title><p>b</p>', 'a<p>b</p>'],
    ['a<title>b</title c', 'a<title>b</title>'],
    ['a<textarea>b</textarea c="', 'a<textarea>b</textarea>'],
    ['a<title lang="</title>">b', 'ab'],
    ['a<math><mi>x<p>b</p>', 'a<p>b</p>'],
    ['a<svg><foreignObject><p>x</p></foreignObject></svg>b', 'ab'],
    ['a<svg><title></svg><p>b</p>', 'a<p>b</p>'],
    ['a<video poster="x"><p>b</p>', 'a<video poster="x"></video><p>b</p>'],
    ['a<select><option>b', 'a<select></select><option>b'],
    ['<noscript><p>a</p></noscript>', '<p>a</p>'],
    ['a<script><!--\ndocument.write("<script>1</script>")\n//--></script>b', 'ab'],
    ['a<script><!--<script></script><s c="</script>b', 'ab'],
    ['a<script><!--><script></script>b<script><!-- --><script></script>c', 'abc'],
    ['<xmp><b>a &amp; b</b></xmp>', '&lt;b>a &amp;amp; b&lt;/b>'],
    ['a<frameset><frame src="x">b</frameset>', 'ab'],
  ])('%s', (html, left) => {
    expect(inMail(html)).toBe(left)
    expect(inMail(left)).toBe(left)
  })
})

test.each(
  'title textarea style script xmp plaintext iframe noscript noembed noframes select svg math object audio dialog template p'.split(
    ' ',
  ),
)('a mail truncated anywhere in <%s> is clean, and keeps its text', (name) => {
  const html = `a<${name} title="</${name}>">b<i title='</${name}'>c</i></${name} lang="d" >e<${name}>f`
  for (let length = 1; length <= html.length; length++) {
    const part = html.slice(0, length)
    const clean = inMail(part)
    expect(inMail(clean)).toBe(clean)
    // A browser shows all text after an unclosed xmp as source; in an email, the rest is rendered.
    if (name !== 'xmp') expect(visibleText(clean).length).toBeGreaterThanOrEqual(visibleText(part).length)
    const message = inApp(part)
    expect(inApp(message)).toBe(message)
    expect(findDangers(message, true)).toEqual([])
  }
})

test('keeps <%name%> placeholders of email services only if they are plain names, and only in an email', () => {
  expect(inMail('<%= a %><% b %><%%><%c<%d%>><%e%<%f-%><b title="<%g><i%>">')).toBe(
    '&lt;%= a %>&lt;% b %>&lt;%%>&lt;%c<%d%>>&lt;%e%&lt;%f-%><b title="&lt;%g&gt;&lt;i%&gt;">',
  )
  expect(inMail('<!--[if mso]><%a%>--<%%>-<p title="--<%b%>--<%%>"><![endif]-->')).toBe(
    '<!--[if mso]><%a%>--&lt;%%&gt;-<p title="--<%b%>--&lt;%%&gt;"><![endif]-->',
  )
  expect(inApp('<%a%><b title="<%a%>">')).toBe('&lt;%a%><b title="&lt;%a%&gt;"></b>')
})

test('a doctype with definitions still keeps browsers out of quirks mode', () => {
  const ids = '"-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"'
  for (const rest of [' []', '\n[\n', '[x'])
    expect(inMail(`<!DOCTYPE html PUBLIC ${ids}${rest}><p>x</p>`)).toBe(`<!DOCTYPE html PUBLIC ${ids}><p>x</p>`)
  expect(inMail('<!DOCTYPE html []><p>x</p>')).toBe('<p>x</p>')
})

test('pieces of text stay separated if the markup between them is removed', () => {
  expect(inMail('a<!-- x -->b')).toBe('a<!-- -->b')
  expect(inMail('a <!-- x -->b<!-- y --> c<!-- z --><b>d</b>')).toBe('a <!-- -->b<!-- --> c<b>d</b>')
  expect(inMail('<p>a</p>\n<!-- x -->\n<p>b</p>')).toBe('<p>a</p>\n\n<p>b</p>')
  expect(inMail('&am<!-- x -->p;lt;&l<x>t;')).toBe('&am<!-- -->p;lt;&l<!-- -->t;')
  expect(inApp('a<!-- x -->b')).toBe('a<!-- -->b')
  expect(inMail('a<!-- x --><xmp></xmp><b>c</b>')).toBe('a<b>c</b>')
})

describe('metadata of an email is kept as data or removed', () => {
  test.each([
    ['<script type="application/ld+json">alert(1)</script>', ''],
    [
      '<script type="application/ld+json" src="x">{"a":"</b><!--"}</script>',
      '<script type="application/ld+json">{"a":"\\u003c/b\\u003e\\u003c!--"}</script>',
    ],
    ['<script type="application/ld+json" type="text/javascript">{}</script>', ''],
    ['<script type="application/ld+json;x">{}</script>', ''],
    ['<script language=javascript type="text/javascript">{}</script>', ''],
    ['<!--[if mso]><script type="application/ld+json">{}</script><![endif]-->', '<!--[if mso]><![endif]-->'],
    ['<base href="https://evil.test/" target="_blank">', '<base target="_blank">'],
    ['<base href="https://evil.test/">', ''],
    ['<base target="a&#10;<b">', ''],
  ])('%s', (html, left) => {
    expect(inMail(html)).toBe(left)
  })
})

describe('old email clients find nothing in', () => {
  test.each([
    ['<!--[if IE]><p data-x-- onclick=1>a<![endif]-->', '<!--[if IE]><p>a<![endif]-->'],
    ['<!--[if IE]><o:p-- title="a">b<![endif]-->', '<!--[if IE]>b<![endif]-->'],
    [
      '<!--[if IE]><p title="--&gt;">--<script></script>><![endif]-->',
      '<!--[if IE]><p title="--&gt;">--&gt;<![endif]-->'.replace('title="--&gt;"', 'title="--&gt;"'),
    ],
    [
      '<!--[if IE]><style>--></style>*{width:expression(1)}',
      '<!--[if IE]><style></style>--></style>*{width:expression(1)}',
    ],
    [
      '<!--[if IE]><style>p{}<![endif]-->*{width:expression(1)}',
      '<!--[if IE]><style>p{}</style><![endif]-->*{width:expression(1)}',
    ],
    ['<html xmlns:t="urn:schemas-microsoft-com:time"><t:set attributename="innerHTML" to="x">y', '<html>y'],
    [
      '<?import namespace="t" implementation="#default#time2"><p datasrc="#x" datafld="y" dataformatas="html">z',
      '<p>z',
    ],
    ['<p style="-ms-behavior:url(x.htc);color:red">x</p>', '<p style="color:red">x</p>'],
    ['<p style="color:red;behavior:url(#default#VML) url(x.htc)">x</p>', '<p style="color:red;">x</p>'],
    [
      '<p style="font-family:&quot;a;b&quot;;width:ｅｘｐｒｅｓｓｉｏｎ(1);top:0">x</p>',
      '<p style="font-family:&quot;a;b&quot;;top:0">x</p>',
    ],
    [
      '<img src="\\\\evil.test\\share\\a.png"><a href="search-ms://x">a</a><a href="ms-msdt:/id">b</a>',
      '<img><a>a</a><a>b</a>',
    ],
    [
      '<v:shape o:href="javascript:alert(1)" src="vbscript:x" style="behavior:url(#default#VML)">',
      '<v:shape style="behavior:url(#default#VML)">',
    ],
  ])('%s', (html, left) => {
    expect(inMail(html)).toBe(left)
    expect(inMail(left)).toBe(left)
  })
})

describe('in an app', () => {
  test.each([
    ['</div></div><p>a', '<p>a</p>'],
    ['<div><b>a</div>b</b>', '<div><b>a</b></div>b'],
    ['<p>a<p>b<div>c', '<p>a</p><p>b</p><div>c</div>'],
    ['<ul><li>a<li>b</ul>c', '<ul><li>a</li><li>b</li></ul>c'],
    ['<li>a</li><td>b</td><dd>c</dd><tr>d', 'abcd'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>'],
    ['<table><tr><td><table><td>a</table></b></table>', '<table><tr><td><table><td>a</td></table></td></tr></table>'],
    ['<b><table><td></b>a', '<b><table><td>a</td></table></b>'],
    ['<a href="/a">a<a href="/b">b', '<a href="/a">a</a><a href="/b">b</a>'],
    ['<h1>a<h2>b</h1>c', '<h1>a</h1><h2>bc</h2>'],
    ['<h1>a<p>b<h2>c', '<h1>a<p>b</p></h1><h2>c</h2>'],
    ['<div/>a<br/>b', '<div>a<br/>b</div>'],
    ['a<!-- x --><textarea></textarea><b>c</b>', 'a<b>c</b>'],
    ['<button onclick="x">a</button><form action="/x"><input>b</form>', 'ab'],
    [
      '<p data-hx-get="/x" data-ng-init="x" id="a" name="b" hx-get="/x" x-data="y" v-html="z" clicktracking="off">a</p>',
      '<p>a</p>',
    ],
    ['<p style="position:fixed;top:0;left:0;color:red">a</p>', '<p style="color:red">a</p>'],
    [
      '<p class="ng-init:constructor">a</p><p class="md:fixed inset-0">b</p><p class="text-sm mt-2">c</p>',
      '<p>a</p><p>b</p><p class="text-sm mt-2">c</p>',
    ],
    [
      '<a href="smb://x">a</a><a href="search-ms:x">b</a><a href="ms-msdt:x">c</a><a href="\\\\host\\x">d</a>',
      '<a>a</a><a>b</a><a>c</a><a>d</a>',
    ],
    [
      '<a href="myapp://x">a</a><a href="ftp://x">b</a><a href="file://x">c</a><a href="cid:x">d</a>',
      '<a>a</a><a>b</a><a>c</a><a>d</a>',
    ],
    ['<table><tr><table>a', '<table><tr></tr></table><table>a</table>'],
    [
      '<a href="/a" target="w">a</a><a href="/b" target="_blank" rel="nofollow OPENER">b</a><a href="/c" target="_TOP" rel=\'&#111;pener\'>c</a>',
      '<a href="/a">a</a><a href="/b" target="_blank">b</a><a href="/c" target="_TOP">c</a>',
    ],
    [
      '<a href="/a" target="_blank" rel="noopener nofollow">a</a><a href="/b" target="">b</a>',
      '<a href="/a" target="_blank" rel="noopener nofollow">a</a><a href="/b" target="">b</a>',
    ],
    ...[
      ...['[position:fixed]', 'md:[inset:0]', 'hover:![top:0]', 'fixed!', 'sticky-md-top', '-mt-96', 'md:-ml-[99px]'],
      ...['mt-n5', 'ms-md-n3', 'start-0', 'end-1/2', '-space-x-96', 'scale-[9]', 'hover:rotate-45', '-indent-96'],
    ].map((name): [string, string] => [`<p class="a ${name} b">a</p>`, '<p>a</p>']),
    ...['mt-4 mx-auto', '[&:hover]:underline', 'text-start', 'data-[state:open]:x', 'scale', 'm-next'].map(
      (name): [string, string] => [`<p class="${name}">a</p>`, `<p class="${name}">a</p>`],
    ),
  ])('%s', (html, left) => {
    expect(inApp(html)).toBe(left)
    expect(inApp(left)).toBe(left)
  })

  test('valid messages are not changed', () => {
    for (const html of [
      '<p>Order <b>17</b> is <a href="https://x.test/17" target="_blank">on its way</a>.<br>Thanks</p>',
      '<ul class="list"><li>a</li><li><p>b</p></li></ul><img src="https://x.test/a.png" alt="A" width="10"><hr>',
      '<table border="1"><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
      '<a href="/orders/1">a</a> <a href="mailto:a@b.test">b</a> <a href="tel:+49">c</a> <a href="sms:+49">d</a> <a href="#x">e</a>',
    ])
      expect(cleanHtml(html, 'inApp')).toEqual({ html, removed: [], removedCount: 0 })
  })

  test('deep nesting is cut before browsers would cut it, and the text is kept', () => {
    const { html, removedCount } = cleanHtml(`${'<b>'.repeat(1000)}x`, 'inApp')
    expect([html.split('<b>').length - 1, html.split('</b>').length - 1, html.includes('x')]).toEqual([250, 250, true])
    expect(removedCount).toBe(750)
  })
})

describe('removals are reported', () => {
  test('each with its kind, name and position', () => {
    const html = [
      '<p onclick="x" STYLE="color:red;behavior:url(x)">a</p>',
      '<a href="javascript:x">b</a><script>alert(1)</script>',
      '<style>',
      '@import "javascript:x";',
      'p{width:expression(1)} a:expression(1){}',
      '</style><!--[if mso]>',
      '  <iframe src="x"></iframe><![endif]-->',
      '<p title="unclosed',
    ].join('\n')
    expect(cleanHtml(html, 'email')).toMatchObject({
      removed: [
        { kind: 'attribute', name: 'onclick', line: 1, column: 1 },
        { kind: 'property', name: 'behavior', line: 1, column: 1 },
        { kind: 'url', name: 'href', line: 2, column: 1 },
        { kind: 'element', name: 'script', line: 2, column: 29 },
        { kind: 'at-rule', name: '@import', line: 4, column: 1 },
        { kind: 'property', name: 'width', line: 5, column: 3 },
        { kind: 'rule', name: 'a:expression(1)', line: 5, column: 24 },
        { kind: 'element', name: 'iframe', line: 7, column: 3 },
        { kind: 'tag', name: '<p', line: 8, column: 1 },
      ],
      removedCount: 9,
    })
  })

  test('up to fifty, with truncated names', () => {
    const { removed, removedCount } = cleanHtml('<x onclick=1>'.repeat(1000), 'email')
    expect([removed.length, removedCount]).toEqual([50, 1000])
    const [{ name = '' } = {}] = cleanHtml(
      `<style>a:expression(${'xyz\n\u0007'.repeat(999)}){}</style>`,
      'email',
    ).removed
    expect(name.length).toBeLessThanOrEqual(80)
    expect(name).not.toMatch(/[\n\u0007]/)
  })

  test('for an end tag without a start tag in an app, which is kept in an email', () => {
    expect(cleanHtml('a</div>', 'inApp').removed).toEqual([{ kind: 'end-tag', name: 'div', line: 1, column: 2 }])
    expect(cleanHtml('a</div>', 'email')).toEqual({ html: 'a</div>', removed: [], removedCount: 0 })
  })

  test('but not for comments', () => {
    expect(cleanHtml('a <!-- x --> b<?xml version="1.0"?>', 'email').removed).toEqual([])
  })
})
