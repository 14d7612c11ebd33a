import { joinPath } from '../../base/json-pointer.ts'

/** Differences of schema libraries that matter when searching for a field. */
export interface FieldSearch {
  /** Throws when a schema cannot be shown. */
  readonly show: (schema: unknown) => unknown
  /** The schemas right inside a schema, by key; an item of a list by `0`. */
  readonly fields: (schema: unknown) => readonly (readonly [key: string, schema: unknown])[]
}

/**
 * Finds the field that prevents a conversion, for libraries whose error does not name it.
 *
 * @param schema - A schema that cannot be shown.
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

/** Creates the failure of a schema that cannot be shown. */
export function unrepresentableFieldError(field: string, what: string): Error {
  const where = field === '' ? 'it' : `the field "${field}"`
  return new Error(`The schema cannot be converted to JSON Schema: ${where} is ${what}, which JSON does not have.`)
}
