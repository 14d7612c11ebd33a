import { toHtmlForms } from '@trestle/html/escape'

/** Shorter values are only replaced as whole words, and shorter words not at all. */
const minLength = 4
/** With more values, the whole text is replaced. */
const maxForms = 1000
const hidden = '[masked]'
const email = '[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,10}'
const phone = '\\+\\d[\\d ()./-]{6,30}\\d|\\d{7,}'
/** A value such as "table" must not replace the name of a tag. */
const tag =
  '</?(?:a|b|blockquote|body|br|center|code|div|em|font|footer|h[1-6]|head|header|hr|html|i|img|li|main|meta|ol|p|pre|section|small|span|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|u|ul)\\b'

/**
 * Returns a function that replaces values in a text with their labels: first whole values and addresses, then single
 * words of values, because a template may use only a part.
 *
 * @param labels - The values, each with its path.
 */
export function createMaskText(labels: ReadonlyMap<string, string>): (text: string) => string {
  const forms = new Map<string, string>()
  const words = new Map<string, string>()
  for (const [value, path] of labels) {
    for (const form of toForms(value)) keepFirst(forms, form, `[${path}]`)
    for (const [word] of value.matchAll(wordPattern)) keepFirst(words, word, `[${path}]`)
  }
  if (forms.size > maxForms) return () => hidden
  const values = [...forms.keys()].toSorted((one, other) => other.length - one.length).map(toPattern)
  const valuePattern = new RegExp(
    [`(?<email>${email})`, `(?<phone>${phone})`, ...values, `(?<tag>${tag})`].join('|'),
    'giu',
  )
  const labelPattern = [...new Set(['email', 'phone', ...labels.values()])].map((label) => `\\[${toLiteral(label)}\\]`)
  const restPattern = new RegExp(`(?<kept>${[...labelPattern, tag].join('|')})|${wordPattern.source}`, 'giu')
  return (text) =>
    text
      .replaceAll(valuePattern, (match, ...rest) => {
        const groups = rest.at(-1) as Readonly<Record<'tag' | 'email' | 'phone', string | undefined>>
        if (groups.tag !== undefined) return match
        if (groups.email !== undefined) return '[email]'
        return groups.phone === undefined ? (forms.get(match.toLowerCase()) ?? hidden) : '[phone]'
      })
      .replaceAll(restPattern, (match) => words.get(match.toLowerCase()) ?? match)
}

const wordPattern = new RegExp(`[\\p{L}\\p{N}]{${minLength},}`, 'gu')

function keepFirst(map: Map<string, string>, text: string, label: string): void {
  const key = text.toLowerCase()
  if (!map.has(key)) map.set(key, label)
}

/** A value as it is, in HTML, and in a URL. */
function toForms(value: string): readonly string[] {
  return [...new Set([value, ...toHtmlForms(value), encodeURIComponent(Buffer.from(value).toString())])]
}

function toPattern(form: string): string {
  return form.length >= minLength ? toLiteral(form) : `(?<![\\p{L}\\p{N}])${toLiteral(form)}(?![\\p{L}\\p{N}])`
}

const toLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
