/** The last fallback locale. */
export const standardLocale = 'en_US'

const pattern = /^[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?$/

/**
 * Returns a locale in its stored form: `pt_BR`, `zh_Hant_TW`, `en`.
 *
 * @param text - A language, with an optional script and region, joined by `_` or `-`, in any case.
 * @returns The locale, or `undefined` if the text is not one.
 */
export function parseLocale(text: unknown): string | undefined {
  if (typeof text !== 'string' || !pattern.test(text)) return undefined
  const [language = '', ...rest] = text.split(/[-_]/)
  return [language.toLowerCase(), ...rest.map(toSubtag)].join('_')
}

/**
 * Returns the fallback chain of locales: the subscriber's, its parents, others of the same language, then the default
 * and its parents.
 *
 * @param locale - The subscriber's locale; an invalid one is ignored.
 * @param availableLocales - The locales that have translations.
 */
export function toLocaleChain(locale: unknown, availableLocales: readonly string[]): readonly string[] {
  const own = parseLocale(locale)
  const chain: string[] = []
  if (own !== undefined) {
    const [language = ''] = own.split('_')
    const sameLanguage = availableLocales.filter((name) => name === language || name.startsWith(`${language}_`)).sort()
    chain.push(...withParents(own), ...sameLanguage)
  }
  chain.push(...withParents(standardLocale))
  return [...new Set(chain)].filter((name) => availableLocales.includes(name))
}

function withParents(locale: string): readonly string[] {
  const parts = locale.split('_')
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('_'))
}

function toSubtag(part: string): string {
  return part.length === 4 ? part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase() : part.toUpperCase()
}
