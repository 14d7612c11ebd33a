import { parse, serialize } from 'parse5'
import { expect, test } from 'vitest'
import { sanitizeHtml } from './sanitize-html.ts'

const outlookButton = `<!--[if mso]>
<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="https://shop.test/?a=1&amp;b=2" style="height:40px;v-text-anchor:middle;width:200px;" arcsize="10%" strokecolor="#1e3650" fillcolor="#ff3e00" o:button="t">
<w:anchorlock/><center style="color:#ffffff;font-family:sans-serif;font-size:13px;font-weight:bold;">Track</center>
</v:roundrect>
<![endif]--><a href="https://shop.test/?a=1&amp;b=2" style="background-color:#ff3e00;border:1px solid #1e3650;border-radius:4px;display:inline-block;mso-hide:all;">Track</a>`

// One email from each common email builder.
const mails: Record<string, string> = {
  'a mail of a component library': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html dir="ltr" lang="en"><head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/><meta name="x-apple-disable-message-reformatting"/></head><div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0">Your order is on its way<div>\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff</div></div><body style="background-color:#f6f9fc;font-family:-apple-system,BlinkMacSystemFont,&quot;Segoe UI&quot;,Roboto,sans-serif"><table align="center" width="100%" border="0" cellPadding="0" cellSpacing="0" role="presentation" style="max-width:37.5em"><tbody><tr style="width:100%"><td><img alt="" src="cid:logo@shop" width="42" height="42" style="display:block;outline:none;border:none"/><p style="font-size:16px;line-height:26px">Hello Ann &amp; Ben,</p><a href="https://shop.test/o/1?utm=a&amp;x=y" style="text-decoration:none" target="_blank"><span><!--[if mso]><i style="letter-spacing: 10px;mso-font-width:-100%;mso-text-raise:18" hidden>&nbsp;</i><![endif]--></span><span style="mso-text-raise:9px">Open</span></a></td></tr></tbody></table></body></html>`,
  'a mail of a mark-up language': `<!doctype html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>Order</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
  #outlook a { padding:0; }
  body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
  table > tbody > tr { mso-table-lspace:0pt; }
  @media only screen and (min-width:480px) { .mj-column-per-100 { width:100% !important; max-width: 100%; } }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">.mj-outlook-group-fix { width:100% !important; }</style>
<![endif]-->
<!--[if !mso]><!-->
<link href="https://fonts.test/css?family=Ubuntu:300,400,500,700" rel="stylesheet" type="text/css">
<style type="text/css">@import url(https://fonts.test/css?family=Ubuntu:300,400,500,700);</style>
<!--<![endif]-->
</head>
<body style="word-spacing:normal;">
<div style="">
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:600px;" width="600" bgcolor="#ffffff" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><v:rect style="width:600px;" xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="false"><v:fill origin="0.5, 0" position="0.5, 0" src="https://img.test/a.png" color="#fff" type="tile" /><v:textbox style="mso-fit-shape-to-text:true" inset="0,0,0,0"><![endif]-->
<div style="background:#ffffff url('https://img.test/a.png') center top / auto repeat;margin:0px auto;max-width:600px;">
<table align="center" background="https://img.test/a.png" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center;">Text</td></tr></tbody></table>
</div>
<!--[if mso | IE]></v:textbox></v:rect></td></tr></table><![endif]-->
</div>
</body>
</html>`,
  'a mail written by hand': `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html><head><meta charset=utf-8><title>A &amp; B</title><style>
.a { color: red; background: url("cid:back"); }
@font-face { font-family: 'X'; src: url(https://f.test/x.woff2) format("woff2"); }
a[href^="https://"]:hover::after { content: "\\2192"; }
.smooth { scroll-behavior: smooth; }
</style></head>
<body bgcolor=#ffffff text=#000000 link=blue vlink=purple alink=red leftmargin=0 topmargin=0 marginwidth=0 marginheight=0>
<center><table width=600 border=0 cellspacing=0 cellpadding=4 summary='a "table"'>
<tr valign=top><td nowrap colspan=2 height=20><font face="Arial, sans-serif" size=2 color=#333>1 &lt; 2, a > b, Caf&eacute;&nbsp;&copy; &#8364;</font></td></tr>
<tr><td><img src="https://img.test/spacer.gif" width=1 height=1 alt=""><a name="top" title="it's">x</a><a href="mailto:a@b.test?subject=Hi%20there&body=x">mail</a> <a href="tel:+491234">call</a> <a href="sms:+491234?body=x">text</a> <a href="myapp://order/1">app</a> <a href="#top">up</a> <a href="//cdn.test/x">cdn</a></td></tr>
<tr><td><img src="data:image/png;base64,iVBORw0KGgo=" usemap="#m"><map name="m"><area shape=rect coords="0,0,1,1" href="https://a.test"></map><hr noshade size=1><br clear=all></td></tr>
</table></center>${outlookButton}</body></html>`,
  'placeholders of services': `<p>{{ t.hello }} *|FNAME|* %%unsubscribe%% [[link]] <a href="{{unsubscribe_url}}">a</a> <a href="*|UNSUB|*">b</a> <a href="[[url]]">c</a> <a href="%unsubscribe_url%">d</a></p>`,
  'a video with a fallback, a picture with sources': `<video width="320" height="176" controls="controls" poster="https://v.test/p.jpg" src="https://v.test/a.mp4"><img src="https://v.test/p.jpg" alt="A"></video><picture><source srcset="https://i.test/d.png 1x, https://i.test/d2.png 2x" media="(prefers-color-scheme: dark)"><img src="https://i.test/l.png" alt="L"></picture>`,
  'a form, a fold, a table with a head': `<form action="https://poll.test" method="post"><label for="q">Q</label><input type="radio" id="q" name="q" value="1" checked><button type="submit">Go</button></form><details open><summary>More</summary><p>x</p></details><table><caption>C</caption><colgroup><col span="2" width="50%"></colgroup><thead><tr><th scope="col">A</th></tr></thead></table>`,
  'Outlook shapes': `<!--[if gte vml 1]><style>v\\:* { behavior: url(#default#VML); }</style><![endif]--><!--[if (gte mso 9)|(IE)]><table><tr><td><![endif]-->x<!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]--><![if !mso]><b>y</b><![endif]>`,
}

const shape = (html: string) => serialize(parse(html, { scriptingEnabled: false }))

/** Normalizes the quoting and spacing of attributes, so that only unintended changes differ. */
const evenOut = (html: string) =>
  html.replace(/\s+/g, ' ').replace(/ >/g, '>').replace(/ ?\/>/g, '/>').replace(/> </g, '><')

test.each(Object.entries(mails))('keeps %s intact', (_name, mail) => {
  const clean = sanitizeHtml(mail)
  expect(evenOut(shape(clean))).toBe(evenOut(shape(mail)))
  expect(sanitizeHtml(clean)).toBe(clean)
})

test('does not change valid templates', () => {
  for (const html of [outlookButton, mails['a video with a fallback, a picture with sources'] ?? '']) {
    expect(evenOut(sanitizeHtml(html))).toBe(evenOut(html))
  }
  expect(sanitizeHtml(mails['placeholders of services'] ?? '')).toBe(mails['placeholders of services'])
})

test('removes executable content and nothing around it', () => {
  const mail = mails['a mail written by hand'] ?? ''
  const infected = mail.replace('<center>', '<script>alert(1)</script><center onclick="alert(1)">')
  expect(sanitizeHtml(infected)).toBe(sanitizeHtml(mail))
})
