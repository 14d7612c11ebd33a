import { type OutputUnit, Validator } from '@cfworker/json-schema'
import {
  ErrorSchemaBuilder,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils'

/** Keywords whose own message only says that something below them failed. */
const containers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems', 'contains'],
  ...['allOf', '$ref', 'if', 'then', 'else'],
])

/** Checks values of a form without code generation, which the policy of the page forbids. */
export const formValidator: ValidatorType = {
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const builder = new ErrorSchemaBuilder()
    const errors = check(schema, formData).map((unit) => {
      const { message, path } = placeOf(unit)
      builder.addErrors(message, [...path])
      return toError(unit)
    })
    return { errors, errorSchema: builder.ErrorSchema }
  },
  isValid: (schema, formData, rootSchema) => {
    const { $defs, definitions } = rootSchema
    return check({ ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }, formData).length === 0
  },
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: check(schema, formData) as readonly unknown[] as Result[],
  }),
}

function check(schema: RJSFSchema, value: unknown): readonly OutputUnit[] {
  try {
    const { valid, errors } = new Validator(withoutUndefined(schema) as object, '2020-12', false).validate(
      withoutUndefined(value),
    )
    return valid ? [] : errors.filter(({ keyword }) => !containers.has(keyword))
  } catch (error) {
    // A schema the validator cannot read; the bridge has the last word on the value.
    console.warn('The form does not check this schema:', error)
    return []
  }
}

/** What the form has not filled in yet is not there. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function toError(unit: OutputUnit): RJSFValidationError {
  const { path, message } = placeOf(unit)
  const property = path.map((part) => `.${part}`).join('')
  return { name: unit.keyword, message, property, stack: `${property} ${message}` }
}

/** A missing field is told at its own place, not at that of the object it is missing in. */
function placeOf({ keyword, instanceLocation, error }: OutputUnit): {
  readonly path: readonly string[]
  readonly message: string
} {
  const path = instanceLocation.slice(1).split('/').slice(1).map(decode)
  const missing = keyword === 'required' ? /"(.+)"/s.exec(error)?.[1] : undefined
  return missing === undefined
    ? { path, message: error }
    : { path: [...path, missing], message: 'This field is required.' }
}

function decode(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
