/**
 * Returns what a table has under a name that came from elsewhere. Every object has more names than it was given, such as
 * `constructor` and `__proto__`; those are not entries.
 *
 * @param table - The table.
 * @param name - Any text.
 */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
