const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example'])

/**
 * Tells an object of a library, a module or a promise from a JSON Schema. Where its fields happen to be keywords, as the
 * `type` of Superstruct's, or where it has none, as a `Map`, it would else be taken for a schema that nearly everything fits.
 *
 * @param value - What stands where a schema should.
 * @returns What it is, as the end of a sentence; `undefined` where it is plain data.
 */
export function findForeignObject(value: object): string | undefined {
  if (Object.prototype.toString.call(value) === '[object Module]') return 'is a module; give what it exports'
  const type: unknown = Object.getPrototypeOf(value)
  // The root of all objects has another identity in each realm, such as a test's.
  const isPlain = type === null || Object.getPrototypeOf(type) === null
  const keys = Object.keys(value)
  if (!isPlain && (keys.length === 0 || hasMethods(type as object))) return `is an object of the class ${nameOf(value)}`
  const method = keys.find((key) => typeof Reflect.get(value, key) === 'function' && !isIgnored(key))
  return method === undefined ? undefined : `has a function, ${method}`
}

/** Libraries mark their JSON Schemas by `~`; of data it is told elsewhere that JSON does not know it. */
function isIgnored(key: string): boolean {
  return key.startsWith('~') || data.has(key)
}

function hasMethods(type: object): boolean {
  const above: unknown = Object.getPrototypeOf(type)
  if (above === null) return false
  const { constructor: _, ...own } = Object.getOwnPropertyDescriptors(type) as Record<string, PropertyDescriptor>
  return Object.values(own).some(({ value }) => typeof value === 'function') || hasMethods(above as object)
}

function nameOf(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor')
  return (typeof made === 'function' && made.name) || 'without a name'
}
