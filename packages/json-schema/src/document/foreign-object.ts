/**
 * Distinguishes library objects, modules and promises from JSON Schemas. Without this check, objects with fields that
 * happen to be keywords (Superstruct's `type`) or without fields (`Map`) would be schemas that accept almost anything.
 *
 * @param value - The value that is used as a schema.
 * @returns A description, worded as the end of a sentence; `undefined` for plain data.
 */
export function findForeignObject(value: object): string | undefined {
  if (Reflect.get(value, Symbol.toStringTag) === 'Module') return 'is a module; pass its export'
  const type: object | null = Object.getPrototypeOf(value)
  // Object.prototype differs between realms, for example in tests.
  const isOfClass = type !== null && Object.getPrototypeOf(type) !== null
  // Libraries mark their JSON Schemas with `~`.
  const method = isOfTypeBox(value)
    ? undefined
    : Object.entries(value).find(([key, item]) => !key.startsWith('~') && typeof item === 'function')
  if (!isOfClass && !method) return undefined
  const what = isOfClass ? `is an instance of ${type.constructor?.name}` : `has a function, ${method?.[0]}`
  return `${what}; its library must support Standard Schema, such as Zod 3.25 or Valibot 1`
}

/**
 * Returns whether an object belongs to TypeBox. Its schemas are plain data with additional values, such as Elysia's
 * functions for error messages.
 */
function isOfTypeBox(value: object): boolean {
  const symbols = Object.getOwnPropertySymbols(value)
  return Object.hasOwn(value, '~kind') || symbols.some(({ description }) => description === 'TypeBox.Kind')
}
