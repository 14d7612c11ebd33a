import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the condition that a text holds another exactly as it is written.
 * `like` would do so on PostgreSQL only: SQLite's takes no notice of case, and both have wildcards.
 *
 * @param text - A column, or what is made of columns.
 * @param part - What it must hold.
 */
export function holds(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return part === '' ? sql<boolean>`${text} is not null` : sql<boolean>`replace(${text}, ${part}, '') <> ${text}`
}

/**
 * Returns the condition that a text holds another, in small letters or capitals.
 *
 * @param text - A column, or what is made of columns.
 * @param part - What it must hold.
 */
export function holdsAnyCase(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  if (part === '') return holds(text, part)
  return sql<boolean>`replace(lower(${text}), lower(${part}), '') <> lower(${text})`
}
