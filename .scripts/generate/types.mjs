// Prints JSON Schemas as TypeScript. A schema is printed for one direction: in input types, optional fields also accept
// `undefined`, and free-form objects are typed as `object`, so that interfaces are assignable.

const refPrefix = '#/components/schemas/'

/**
 * Returns the text of a type.
 *
 * @param {Set<string>} used - Collects the names that the text refers to.
 */
export function printType(schema, direction, used) {
  const print = (inner) => printType(inner, direction, used)
  if (schema.$ref) return addUsed(schema.$ref.slice(refPrefix.length), used)
  if ('const' in schema) return printLiteral(schema.const)
  if (schema.enum) return printUnion(schema.enum.map(printLiteral))
  const { anyOf, oneOf, allOf, ...rest } = schema
  if (allOf) return allOf.map(print).join(' & ')
  const choices = anyOf ?? oneOf
  if (choices) {
    const union = printUnion(choices.map(print))
    return rest.properties ? `${print(rest)} & (${union})` : union
  }
  if (Array.isArray(schema.type)) return printUnion(schema.type.map((type) => print({ type })))
  switch (schema.type) {
    case 'array':
      return `readonly ${printElement(print(schema.items ?? {}))}[]`
    case 'object':
      return printObject(schema, direction, used)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    case undefined:
      return 'unknown'
  }
  throw new TypeError(`No type is known for ${JSON.stringify(schema)}`)
}

/** Returns the text of an object's fields, one per line, with their descriptions. */
export function printFields({ properties = {}, required = [] }, direction, used) {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isOptional = !required.includes(name)
      const type = printType(schema, direction, used)
      const last = isOptional && direction === 'sent' && type !== 'unknown' ? ' | undefined' : ''
      return `${printDocblock(schema.description)}readonly ${printName(name)}${isOptional ? '?' : ''}: ${type}${last}\n`
    })
    .join('')
}

/** @param {string | undefined} text */
export const printDocblock = (text) => (text ? `/** ${text.replaceAll('*/', '* /')} */\n` : '')

export const printName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : printLiteral(name))

export const printLiteral = (value) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)

function printObject(schema, direction, used) {
  const { properties, additionalProperties } = schema
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const isFree = !isOpen || Object.keys(additionalProperties).length === 0
  if (!properties || Object.keys(properties).length === 0) {
    if (!isFree) return `Readonly<Record<string, ${printType(additionalProperties, direction, used)}>>`
    return direction === 'sent' ? 'object' : addUsed('JsonObject', used)
  }
  return `{\n${printFields(schema, direction, used)}${isOpen ? 'readonly [name: string]: unknown\n' : ''}}`
}

/** Prints a union; string literals are omitted if the union also allows any string. */
const printUnion = (parts) =>
  [...new Set(parts)].filter((part) => !(part.startsWith("'") && parts.includes('string'))).join(' | ')
const printElement = (type) => (/ [|&] |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type)

function addUsed(name, used) {
  used.add(name)
  return name
}
