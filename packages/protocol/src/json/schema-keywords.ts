/** Keywords of JSON Schema whose value is a schema; also `items`, if it is not a list. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else', 'additionalItems'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
])

/** Keywords of JSON Schema whose value is a list of schemas; also `items`, if it is a list. */
export const schemaListKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])

/** Keywords of JSON Schema whose value is an object of schemas by user-defined names. */
export const schemaMapKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
])

/** Keywords of JSON Schema whose value is data, in which names of keywords have no meaning. */
export const schemaDataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
