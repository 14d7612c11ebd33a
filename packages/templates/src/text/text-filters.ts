import { escapeHtml } from '@trestle/html/escape'

/** The filters that change a text and have no arguments, with the same result as those of the engine. */
export const textFilters: Readonly<Record<string, (text: string) => string>> = Object.freeze({
  upcase: (text: string) => text.toUpperCase(),
  downcase: (text: string) => text.toLowerCase(),
  capitalize: (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  escape: escapeHtml,
})
