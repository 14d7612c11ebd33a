/**
 * Tells an object of a library, a module or a promise from a JSON Schema. Where its fields happen to be keywords, as the
 * `type` of Superstruct's, or where it has none, as a `Map`, it would else be taken for a schema that nearly everything fits.
 *
 * @param value - What stands where a schema should.
 * @returns What it is, as the end of a sentence; `undefined` where it is plain data.
 */
export function findForeignObject(value: object): string | undefined {
  if (Reflect.get(value, Symbol.toStringTag) === 'Module') return 'is a module; pass its export'
  const type: object | null = Object.getPrototypeOf(value)
  // The root of all objects has another identity in each realm, such as a test's.
  const isOfClass = type !== null && Object.getPrototypeOf(type) !== null
  // Libraries mark their JSON Schemas by `~`.
  const method = isOfTypeBox(value)
    ? undefined
    : Object.entries(value).find(([key, item]) => !key.startsWith('~') && typeof item === 'function')
  if (!isOfClass && !method) return undefined
  const what = isOfClass ? `is an instance of ${type.constructor?.name}` : `has a function, ${method?.[0]}`
  return `${what}; its library must support Standard Schema, such as Zod 3.25 or Valibot 1`
}

/** Its schemas are plain data that keep whatever they are given, such as Elysia's functions that word an error. */
function isOfTypeBox(value: object): boolean {
  const symbols = Object.getOwnPropertySymbols(value)
  return Object.hasOwn(value, '~kind') || symbols.some(({ description }) => description === 'TypeBox.Kind')
}
