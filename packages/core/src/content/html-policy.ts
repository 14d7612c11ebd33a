/**
 * Where HTML is shown: a mail has a document of its own, an in-app message lies within the app's page, and what a
 * condition of Office hides is read by its mail client only, which knows no scripts.
 */
export type HtmlPosition = 'email' | 'inApp' | 'office'

const textTags =
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
  'details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label ' +
  'legend li main map area mark menu meter nav nobr ol p picture source pre progress q rp rt ruby s samp section ' +
  'small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video audio track wbr ' +
  'button fieldset'
const mailTags = 'html head body title style meta link form input select option optgroup textarea xml'

const plain = new Set(textTags.split(' '))
const mail = new Set(mailTags.split(' '))
// Names of Office: shapes and settings that only its mail client reads.
const office = /^[vow]:[a-z0-9-]+$/

/** Elements whose content is no text for people, so that it goes with them. */
const bodiless = new Set([
  ...['script', 'style', 'iframe', 'object', 'embed', 'applet', 'noscript', 'noembed', 'noframes', 'frameset'],
  ...['template', 'svg', 'math', 'xmp', 'textarea', 'title', 'select', 'canvas', 'portal', 'fencedframe'],
])
const rawText = new Set([
  ...['script', 'style', 'iframe', 'noscript', 'noembed', 'noframes', 'xmp', 'textarea', 'title', 'plaintext'],
])

const attributes = new Set(
  (
    'abbr accept accept-charset align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff charset ' +
    'checked class clear color cols colspan compact controls coords datetime dir disabled download enctype ' +
    'face for frame frameborder headers height hidden high hreflang hspace id ismap itemid itemprop ' +
    'itemscope itemtype label lang leftmargin link loading loop low marginheight marginwidth max maxlength media ' +
    'method min multiple muted name nohref noshade nowrap open optimum pattern placeholder playsinline preload ' +
    'readonly rel required reversed role rows rowspan rules scope scrolling selected shape size sizes span spellcheck ' +
    'start step style summary tabindex target text title topmargin translate type usemap valign value version vlink ' +
    'alink vspace width wrap xmlns xml:lang xml:space decoding fetchpriority autocomplete'
  ).split(' '),
)
const urls = new Set(['href', 'src', 'background', 'cite', 'action', 'poster', 'longdesc', 'srcset'])
const officeAttribute = /^(?:[a-z]+:)?[a-z][a-z0-9-]*$/

/** How an element is treated: kept, dropped with its tags only, or dropped with all it holds. */
export type TagFate = 'keep' | 'unwrap' | 'drop'

/**
 * Decides about an element.
 *
 * @param name - In lower case.
 * @param position - Where the HTML is shown.
 */
export function tagFate(name: string, position: HtmlPosition): TagFate {
  if (plain.has(name)) return 'keep'
  if (position !== 'inApp' && (mail.has(name) || office.test(name))) return 'keep'
  if (position === 'office' && name === 'noscript') return 'keep'
  return bodiless.has(name) ? 'drop' : 'unwrap'
}

/**
 * Tells whether the content of an element is read as text, not as markup.
 *
 * @param name - In lower case.
 * @param position - Where the HTML is shown.
 */
export function isRawText(name: string, position: HtmlPosition): boolean {
  return rawText.has(name) && !(position === 'office' && name === 'noscript')
}

/** What an attribute holds. */
export type AttributeKind = 'text' | 'url' | 'style' | 'refused'

/**
 * Decides about an attribute.
 *
 * @param tag - The element, in lower case.
 * @param name - The attribute, in lower case.
 * @param position - Where the HTML is shown.
 */
export function attributeKind(tag: string, name: string, position: HtmlPosition): AttributeKind {
  if (name === 'style') return 'style'
  if (urls.has(name)) return 'url'
  if (name === 'http-equiv' || name === 'content') return tag === 'meta' ? 'text' : 'refused'
  // Ids and names of a message would shadow those of the page around it.
  if (position === 'inApp' && (name === 'id' || name === 'name' || name === 'for')) return 'refused'
  if (attributes.has(name) || /^(?:aria|data)-[a-z0-9_.-]+$/.test(name) || /^xmlns:[a-z]+$/.test(name)) return 'text'
  const isOffice = office.test(tag) || tag === 'xml'
  return isOffice && officeAttribute.test(name) && !/^(?:[a-z]+:)?on/.test(name) ? 'text' : 'refused'
}
