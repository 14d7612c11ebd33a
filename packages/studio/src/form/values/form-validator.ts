import { ErrorSchemaBuilder, type RJSFSchema, type ValidationData, type ValidatorType } from '@rjsf/utils'
import { compileRules, mapSubschemas, type RuleIssue, readSchema } from '@trestle/json-schema'
import { isObject, splitPointer } from '@trestle/protocol'
import type { JsonSchema } from '../../api/json-schema.ts'
import { toIssueText } from './issue-text.ts'

/** An error in a value. */
export interface ValueIssue {
  /** The path of the field, such as `/items/0/name`; empty for the whole value. */
  readonly path: string
  /** The error message. */
  readonly message: string
  /** The line of the error in the text, starting at 1, if available. */
  readonly line?: number
  /** The column, starting at 1. */
  readonly column?: number
}

/** Returns the errors of a value, by field. */
export function findIssues(schema: JsonSchema, value: unknown): readonly ValueIssue[] {
  if (value === undefined) return []
  try {
    const read = readSchema(relax(schema))
    if (read.fault !== undefined) throw new Error(read.fault)
    const issues: RuleIssue[] = []
    // As JSON, without the fields that are not filled in yet.
    compileRules(read.schema).explain(JSON.parse(JSON.stringify(value)), '', issues)
    return issues.map(({ path, message }) => ({ path, message: toIssueText(message) }))
  } catch (error) {
    // The schema cannot be used, or refers to itself endlessly; the bridge validates the value anyway.
    console.warn('The form cannot check this schema:', error)
    return []
  }
}

/** Validates form values without code generation, which the page's content security policy forbids. */
export const formValidator: ValidatorType = {
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const builder = new ErrorSchemaBuilder()
    const errors = findIssues(schema, formData).map(({ path, message }) => {
      const keys = splitPointer(path)
      builder.addErrors(message, keys)
      const property = keys.map((key) => `.${key}`).join('')
      return { message, property, stack: `${property} ${message}` }
    })
    return { errors, errorSchema: builder.ErrorSchema }
  },
  isValid: (schema, formData, rootSchema) => {
    const { $defs, definitions } = rootSchema
    return (
      findIssues({ ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }, formData).length === 0
    )
  },
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: findIssues(schema, formData) as readonly unknown[] as Result[],
  }),
}

/** A field with a default may be omitted, because the bridge fills it in. */
function relax(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { properties, required } = schema
  const hasDefault = (name: unknown): boolean =>
    typeof name === 'string' &&
    isObject(properties) &&
    Object.hasOwn(properties, name) &&
    isObject(properties[name]) &&
    'default' in properties[name]
  return {
    ...mapSubschemas(schema, relax),
    ...(Array.isArray(required) && { required: required.filter((name) => !hasDefault(name)) }),
  }
}
