import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the condition that a text contains another, case-sensitively. `like` would be case-sensitive on PostgreSQL
 * only, and has wildcards on both.
 *
 * @param text - A column or an expression of columns.
 * @param part - The substring.
 */
export function holds(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return part === '' ? sql<boolean>`${text} is not null` : sql<boolean>`replace(${text}, ${part}, '') <> ${text}`
}

/**
 * Returns the condition that a text contains another, case-insensitively.
 *
 * @param text - A column or an expression of columns.
 * @param part - The substring.
 */
export function holdsAnyCase(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  if (part === '') return holds(text, part)
  return sql<boolean>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}
