import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils'
import { toErrorSchema } from '@rjsf/utils'

/** Keywords whose own message only says that something below them failed. */
const containers = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
  'if',
  'then',
  'else',
])

/** Checks values of a form without code generation, which the policy of the page forbids. */
export const formValidator: ValidatorType = {
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const errors = check(schema, formData)
    return { errors: [...errors], errorSchema: toErrorSchema([...errors]) }
  },
  isValid: (schema, formData, rootSchema) => {
    const { $defs, definitions } = rootSchema
    return check({ ...($defs && { $defs }), ...(definitions && { definitions }), ...schema }, formData).length === 0
  },
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({
    errors: check(schema, formData) as readonly unknown[] as Result[],
  }),
}

function check(schema: RJSFSchema, value: unknown): readonly RJSFValidationError[] {
  try {
    const { valid, errors } = new Validator(withoutUndefined(schema) as object, '2020-12', false).validate(
      withoutUndefined(value),
    )
    return valid ? [] : errors.filter(({ keyword }) => !containers.has(keyword)).map(toError)
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

function toError({ keyword, instanceLocation, error }: OutputUnit): RJSFValidationError {
  const path = instanceLocation.slice(1).split('/').filter(Boolean).map(decode)
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
  const property = [...path, ...(missing === undefined ? [] : [missing])].map((part) => `.${part}`).join('')
  const message = missing === undefined ? error : 'This field is required.'
  return { name: keyword, message, property, stack: `${property} ${message}` }
}

function decode(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
