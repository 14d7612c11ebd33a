import { joinPath } from '@trestle/protocol'

/** Library-specific functions for searching for a field. */
export interface FieldSearch {
  /** Throws if a schema cannot be converted. */
  readonly show: (schema: unknown) => unknown
  /** The direct subschemas of a schema, by key; list items have the key `0`. */
  readonly fields: (schema: unknown) => readonly (readonly [key: string, schema: unknown])[]
}

/**
 * Finds the field that prevents a conversion, for libraries whose error does not contain it.
 *
 * @param schema - A schema that cannot be converted.
 * @returns JSON pointer to the innermost such field; `''` for the schema itself.
 */
export function findUnrepresentableField(schema: unknown, search: FieldSearch): string {
  for (const [key, field] of search.fields(schema)) {
    try {
      search.show(field)
    } catch {
      return joinPath('', key) + findUnrepresentableField(field, search)
    }
  }
  return ''
}

/** Creates the error for a schema that cannot be converted. */
export function unrepresentableFieldError(field: string, what: string): Error {
  const where = field === '' ? 'it' : `the field "${field}"`
  return new Error(`The schema cannot be converted to JSON Schema: ${where} is ${what}, which JSON does not have.`)
}
