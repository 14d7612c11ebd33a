/**
 * Returns an own property of a table. Untrusted names can match inherited properties, such as `constructor` or
 * `__proto__`, which are not entries.
 *
 * @param name - An untrusted name.
 */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
