import type { CleanHtml } from '@trestle/html/clean'

/** The maximum number of removals listed in a warning. */
const maxNamed = 5

/**
 * Returns the warning about parts removed from a step's HTML.
 *
 * @param cleaned - The sanitized HTML, with at least one removed part.
 */
export function toRemovalWarning(
  stepId: string,
  { removed, removedCount }: CleanHtml,
): { readonly code: 'HtmlSanitized'; readonly message: string } {
  const named = removed
    .slice(0, maxNamed)
    .map(({ kind, name, line, column }) => `${kind} "${name}" (${line}:${column})`)
  const more = removedCount - named.length
  const list = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
  const message =
    `The HTML of step "${stepId}" was sanitized. Removed, by line and column: ${list}. Leave it out of the body, or ` +
    'set disableOutputSanitization if you trust every part of the HTML.'
  return { code: 'HtmlSanitized', message }
}
