/**
 * Returns the language that a typed one refers to, as the service normalizes it: `de-DE` is `de_DE`.
 *
 * @param locales - The existing languages.
 */
export function findLocale(locales: readonly string[], typed: string): string | undefined {
  return locales.find((locale) => normalize(locale) === normalize(typed))
}

const normalize = (locale: string): string => locale.trim().replaceAll('-', '_').toLowerCase()
