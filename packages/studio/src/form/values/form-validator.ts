import { type OutputUnit, Validator } from '@cfworker/json-schema'
import {
  ErrorSchemaBuilder,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils'
import { decodePercent, splitPointer, toPointer } from '@trestle/protocol'
import type { JsonSchema } from '../../api/json-schema.ts'
import { toIssueText } from './issue-text.ts'
import { keepNearestChoice } from './nearest-choice.ts'

/** Keywords whose error message only says that a nested schema failed. */
const containers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems', 'contains'],
  ...['allOf', '$ref', 'if', 'then', 'else'],
])

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
  return check(schema as RJSFSchema, value).map((unit) => {
    const { path, message } = placeOf(unit, schema)
    return { path: toPointer(path), message }
  })
}

/** Validates form values without code generation, which the page's content security policy forbids. */
export const formValidator: ValidatorType = {
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const builder = new ErrorSchemaBuilder()
    const errors = check(schema, formData).map((unit) => {
      const { message, path } = placeOf(unit, schema)
      builder.addErrors(message, [...path])
      return toError(unit, { message, path })
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
    const { valid, errors } = new Validator(relax(schema) as object, '2020-12', false).validate(withoutUndefined(value))
    return valid ? [] : keepNearestChoice(errors.filter(({ keyword }) => !containers.has(keyword)))
  } catch (error) {
    // The validator cannot read the schema; the bridge validates the value anyway.
    console.warn('The form cannot check this schema:', error)
    return []
  }
}

/** A field with a default may be omitted, because the bridge fills it in. */
function relax(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relax)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, required } = schema as RJSFSchema
  const byDefault = (name: unknown): boolean =>
    typeof name === 'string' && Object.hasOwn(properties ?? {}, name) && 'default' in Object(properties?.[name])
  const entries = Object.entries(schema).filter(([, part]) => part !== undefined)
  return Object.fromEntries([
    ...entries.map(([key, part]) => [key, key === 'default' || key === 'const' || key === 'enum' ? part : relax(part)]),
    ...(Array.isArray(required) ? [['required', required.filter((name) => !byDefault(name))]] : []),
  ])
}

/** Removes fields that the form has not filled in yet. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function toError(unit: OutputUnit, { path, message }: PlacedIssue): RJSFValidationError {
  const property = path.map((part) => `.${part}`).join('')
  return { name: unit.keyword, message, property, stack: `${property} ${message}` }
}

interface PlacedIssue {
  readonly path: readonly string[]
  readonly message: string
}

/** Reports a missing field at its own path rather than at its object's path. */
function placeOf(unit: OutputUnit, schema: JsonSchema): PlacedIssue {
  const { keyword, instanceLocation, error } = unit
  const path = splitPointer(decodePercent(instanceLocation))
  const missing = keyword === 'required' ? /"(.+)"/s.exec(error)?.[1] : undefined
  return missing === undefined
    ? { path, message: toIssueText(unit, schema) }
    : { path: [...path, missing], message: 'This field is required.' }
}
