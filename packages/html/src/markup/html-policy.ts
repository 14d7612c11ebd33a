import type { HtmlPosition } from '../base/html-position.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const textTags = words(
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup data dd del ' +
    'details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd ' +
    'legend li main map area mark menu meter nav nobr ol p picture source pre progress q rb rp rt rtc ruby s samp ' +
    'search section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video ' +
    'audio track wbr fieldset label',
)
const mailTags = words(
  'html head body title style meta link base form input select option optgroup textarea button output datalist xml ' +
    'dialog marquee listing multicol spacer',
)
// Placeholders that mail services fill in: web version, unsubscribe link, forwarding, dates, repeated sections.
const serviceTags = words(
  'webversion unsubscribe preferences forwardtoafriend forward singleline multiline layout layouts repeater ' +
    'tableofcontents fblike tweet datevar currentday currentdayname currentmonth currentmonthname currentyear custom ' +
    'modules module subscribe confirm view-in-browser webview optout',
)
// Office element names: shapes and settings that only Outlook reads.
const office = /^(?:[vowmxp]|w10|st1):[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Elements that are removed with their content, which is not text of the document. */
const bodiless = words('script style iframe noscript noembed noframes title template svg math select datalist')
/** Elements that display their source. */
const sourceTags = words('xmp plaintext textarea')
const rawText = words('script style iframe noscript noembed noframes xmp textarea title plaintext')
const voidTags = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

const messageAttributes = words(
  'abbr align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff cite clear color cols colspan ' +
    'compact controls coords datetime dir download face frame frameborder headers height hidden high hreflang ' +
    'hspace itemid itemprop itemscope itemtype label lang loading loop low max media min muted noshade nowrap open ' +
    'optimum playsinline poster preload rel reversed role rows rowspan rules scope shape size sizes span spellcheck src ' +
    'srcset start summary tabindex target title translate type valign value vspace width wrap href background ' +
    'decoding fetchpriority',
)
const urls = words('href src background cite action poster longdesc srcset')
// Common mail attributes that need no further check.
const plainAttributes = new Set([...[...messageAttributes].filter((name) => !urls.has(name)), 'class', 'id'])
// Attributes that run, load, ping or open something in some client, and attributes that are only used by scripts.
const refusedAttributes = words(
  'srcdoc formaction formmethod formtarget formenctype ping is data code codebase classid archive object dynsrc lowsrc ' +
    'datasrc datafld dataformatas manifest nonce autofocus popover popovertarget popovertargetaction command ' +
    'commandfor slot part exportparts shadowrootmode attributionsrc browsingtopics sharedstoragewritable imagesrcset ' +
    'attributename attributetype values from to by begin implementation namespace folder seeksegmenturl fscommand ' +
    'event handler profile sandbox allow csp credentialless contextmenu inert icon',
)
// A name that ends in a letter or a digit cannot be mistaken for the end of a tag or of a comment.
const attributeName = /^[a-z_][a-z0-9_]*(?:[-.:]+[a-z0-9_]+)*$/
const running = /(?:^|:)on|(?:^|[-.:])on(?:[-.:]|$)|^xlink:|^ev:/

/** How an element is handled: kept, removed without its content, or removed with its content. */
export type TagFate = 'keep' | 'unwrap' | 'drop'

/** Returns how an element is handled. */
export function tagFate(name: string, position: HtmlPosition): TagFate {
  if (textTags.has(name)) return 'keep'
  if (position !== 'inApp' && (mailTags.has(name) || serviceTags.has(name) || office.test(name))) return 'keep'
  if (name === 'noscript' && position !== 'inApp') return position === 'office' ? 'keep' : 'unwrap'
  return bodiless.has(name) ? 'drop' : 'unwrap'
}

/**
 * Returns whether the content of an element is parsed as text, not as markup. In an email, `noscript` is not: mail
 * clients run no scripts and display it.
 */
export function isRawText(name: string, position: HtmlPosition): boolean {
  return rawText.has(name) && (name !== 'noscript' || position === 'inApp')
}

/**
 * Returns whether an element without an end tag includes all text after it. This applies to code and to elements that
 * display their source.
 */
export function isEndless(name: string): boolean {
  return name === 'style' || name === 'script' || name === 'plaintext'
}

/** Returns whether clients that support an element display something other than its content. */
export function hidesContent(name: string): boolean {
  return name === 'audio' || name === 'video' || name === 'select' || name === 'datalist' || name === 'dialog'
}

/** Returns whether an element displays its source, so that its text is kept even if the element is removed. */
export function showsSource(name: string): boolean {
  return sourceTags.has(name)
}

/** Returns whether an element never has an end tag. */
export function isVoid(name: string): boolean {
  return voidTags.has(name)
}

/** Kinds of attribute values; `window` is a link's target, or its access to the opener. */
export type AttributeKind = 'text' | 'url' | 'style' | 'class' | 'window' | 'namespace' | 'refused'

/**
 * Returns how an attribute is handled. An email can have any attribute without effects, because mail services use many
 * of them. An in-app message can only have common attributes, because the app's scripts may react to any other.
 */
export function attributeKind(tag: string, name: string, position: HtmlPosition): AttributeKind {
  if (name === 'style') return 'style'
  if (position === 'inApp') {
    if (name === 'class') return 'class'
    if (name === 'target' || name === 'rel') return 'window'
    if (!messageAttributes.has(name) && !/^aria-[a-z]+$/.test(name)) return 'refused'
    return urls.has(name) ? 'url' : 'text'
  }
  if (plainAttributes.has(name)) return 'text'
  if (!attributeName.test(name) || running.test(name) || refusedAttributes.has(name)) return 'refused'
  if (urls.has(name) || urls.has(name.slice(name.indexOf(':') + 1))) return tag === 'base' ? 'refused' : 'url'
  if (name === 'http-equiv' || name === 'content') return tag === 'meta' ? 'text' : 'refused'
  return name.startsWith('xmlns') ? 'namespace' : 'text'
}
