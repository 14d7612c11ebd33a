import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

const html = 'http://www.w3.org/1999/xhtml'
const refusedTags =
  /^(script|iframe|object|embed|applet|frame|frameset|template|noscript|svg|math|xmp|plaintext|portal|canvas|noembed|noframes|bgsound|isindex|layer|ilayer|keygen|slot|animate|set|use)$/
const refusedInApp =
  /^(html|head|body|style|title|meta|link|base|form|input|select|option|textarea|button|dialog|marquee|output|datalist)$/
const urlAttributes =
  /^(href|src|background|cite|action|poster|longdesc|srcset|.*:href|.*:src|data|formaction|code|codebase|dynsrc|lowsrc)$/
const schemes =
  /^(https?|mailto|tel|sms|cid|ftp|geo|xmpp|webcal|whatsapp|sips?|skype|callto|facetime|maps|spotify|myapp):$/
const inAppSchemes = /^(https?|mailto|tel|sms):$/
const images = /^data:image\/(png|gif|jpe?g|webp|avif|bmp|x-icon)[;,]/i
const headers = /^(content-type|x-ua-compatible|content-language|content-style-type|imagetoolbar|cleartype)$/
const relations =
  /^((stylesheet|alternate|preconnect|dns-prefetch|preload|icon|shortcut|apple-touch-icon|canonical|author|license|help|next|prev|index)\s*)+$/i

/**
 * Returns everything in HTML that would run code in a browser; empty if there is nothing.
 *
 * @param isInApp - Whether it is part of an app's page, where less is allowed. @default false
 */
export function findDangers(text: string, isInApp = false): string[] {
  const dangers: string[] = []
  for (const scriptingEnabled of [true, false]) {
    const roots = isInApp ? [] : [parse(text, { scriptingEnabled })]
    for (const root of [...roots, parseFragment(text, { scriptingEnabled })]) visit(root, { dangers, isInApp })
  }
  return dangers
}

/**
 * Returns how clients that support conditional comments read HTML: with their hidden content shown, and with their
 * visible content hidden.
 */
export function officeReadings(text: string): readonly string[] {
  const revealedText = text.replace(/<!--\[if[^\]]*\]>(?:\s*<!--+>)?|<!--\s*<!\[endif\]-->|<!\[endif\](?:--)?>/g, '')
  const hidden = text.replace(/<!(?:--)?\[if[^\]]*\]>[\s\S]*?<!\[endif\](?:--)?>/g, '')
  return [revealedText, hidden]
}

const invisible =
  /^(script|style|template|svg|math|iframe|noembed|noframes|title|select|datalist|object|canvas|audio|video|textarea)$/

/** Returns the text that a client without scripts shows, without white space. */
export function visibleText(text: string): string {
  let collectedText = ''
  const collect = (node: Node): void => {
    if (node.nodeName === '#text' && 'value' in node) collectedText += node.value
    if ('tagName' in node && invisible.test(node.tagName)) return
    if ('childNodes' in node) for (const child of node.childNodes) collect(child)
  }
  collect(parse(text, { scriptingEnabled: false }))
  return collectedText.replace(/\s+/g, '')
}

interface Judge {
  readonly dangers: string[]
  readonly isInApp: boolean
}

function visit(node: Node, judge: Judge): void {
  if ('tagName' in node) judgeElement(node, judge)
  if (node.nodeName === '#comment' && 'data' in node) judgeComment(node.data, judge)
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, judge)
  if ('content' in node) visit(node.content, judge)
}

function judgeElement(node: DefaultTreeAdapterTypes.Element, judge: Judge): void {
  const { tagName, attrs } = node
  const { dangers, isInApp } = judge
  const find = (wanted: string): string | undefined => attrs.find(({ name }) => name === wanted)?.value
  const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  const isData = tagName === 'script' && find('type') === 'application/ld+json' && attrs.length === 1 && !isInApp
  if (isData) {
    if (text.includes('<')) dangers.push(`<script> ${text}`)
    return
  }
  if (refusedTags.test(tagName) || node.namespaceURI !== html) dangers.push(`<${tagName}>`)
  if (isInApp && refusedInApp.test(tagName)) dangers.push(`<${tagName}>`)
  for (const { name, value } of attrs) judgeAttribute(tagName, { name, value }, judge)
  const header = find('http-equiv')?.toLowerCase()
  if (header && !headers.test(header)) dangers.push(`http-equiv ${header}`)
  if (tagName === 'base' && find('href') !== undefined) dangers.push('base href')
  if (tagName === 'link' && !relations.test(find('rel') ?? '') && find('itemprop') === undefined) dangers.push('link')
  if (tagName === 'style') judgeCss(text, dangers)
}

function judgeComment(data: string, { dangers, isInApp }: Judge): void {
  if (/^\s*$/.test(data)) return
  const [, inner] = /^\[if [^\]]*\]>(.*?)(?:<!\[endif\]|<!(?:--)?)?\s*$/s.exec(data) ?? []
  if (inner !== undefined && !isInApp) dangers.push(...findDangers(inner).filter((danger) => danger !== '<noscript>'))
  else if (isInApp || !/^\s*(<!|\[if [^\]]*\])?(\[endif\](--)?)?\s*$/i.test(data)) dangers.push(`<!--${data}-->`)
}

function judgeAttribute(
  tag: string,
  { name, value }: { name: string; value: string },
  { dangers, isInApp }: Judge,
): void {
  if (/^on|:on|^srcdoc$|^formaction$|^ping$|^is$|^datasrc$|[^\w:.-]|-$/i.test(name)) dangers.push(`${tag} ${name}`)
  if (isInApp && /^(id|name|for|data-.*|form|slot|is|hx-.*|ng-.*|v-.*|x-.*|.*:.*)$/.test(name))
    dangers.push(`${tag} ${name}`)
  if (name === 'style') {
    judgeCss(value, dangers)
    if (
      isInApp &&
      /(?:^|;)\s*(?:position|z-index|transform|inset|translate|animation)\s*:|\burl\(["']?\s*(?!https?:|data:image\/(png|gif|jpe?g))[a-z]+:/i.test(
        value,
      )
    )
      dangers.push(`css ${value}`)
  }
  if (isInApp && name === 'class' && /\b(fixed|ng-)/.test(value)) dangers.push(`class ${value}`)
  if (!urlAttributes.test(name)) return
  for (const part of name === 'srcset' ? value.split(/,\s|\s+/) : [value]) {
    const url = URL.canParse(part, 'https://base.test/') ? new URL(part, 'https://base.test/') : undefined
    const allowed = isInApp ? inAppSchemes : schemes
    if (url && !allowed.test(url.protocol) && !images.test(part.trim())) dangers.push(`${tag} ${name}=${part}`)
    if (/^\s*(\\\\|\/\\|\\\/)/.test(part)) dangers.push(`${tag} ${name}=${part}`)
  }
}

function judgeCss(css: string, dangers: string[]): void {
  const decoded = css.replace(/\\([0-9a-f]{1,6})\s?/gi, (_all, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16) % 0x10ffff),
  )
  const bare = decoded
    .normalize('NFKC')
    .replaceAll('ʀ', 'r')
    .replaceAll('ɪ', 'i')
    .replaceAll('ɴ', 'n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/[\s\\]/g, '')
    .toLowerCase()
  if (/expression\(|javascript:|vbscript:|-moz-binding|(^|[;{])behavior:(?!url\(["']?#default#vml)/.test(bare))
    dangers.push(`css ${css}`)
}
