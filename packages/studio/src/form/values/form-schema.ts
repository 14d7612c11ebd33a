import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import { ownEntry } from '../../base/own-entry.ts'

/** A schema as the form displays it. */
export interface FormSchema {
  readonly schema: RJSFSchema
  /** The UI options of the schema. */
  readonly ui: UiSchema
}

const scalarTitles: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
}
const titles: Readonly<Record<string, string>> = {
  ...scalarTitles,
  null: 'Nothing (null)',
  array: 'List',
  object: 'Object',
}
const unions = ['oneOf', 'anyOf'] as const
const answers: RJSFSchema[] = [
  { const: true, title: 'Yes' },
  { const: false, title: 'No' },
  { const: null, title: titles['null'] },
] as RJSFSchema[]

/**
 * Returns a schema whose choices a form can offer. Multiple types become choices, choices are labeled by type, and a
 * nullable field becomes null when it is cleared. The allowed values stay the same.
 *
 * @param given - The schema, without a reference.
 */
export function toFormSchema(given: RJSFSchema): FormSchema {
  const schema = named(split(given))
  const nullable = asNullable(schema)
  if (!nullable) return { schema: withNull(schema), ui: {} }
  const types = getTypes(nullable)
  if (types.includes('boolean')) return { schema: { ...nullable, oneOf: answers }, ui: { 'ui:widget': 'select' } }
  const isText = types.includes('string')
  return { schema: nullable, ui: { 'ui:emptyValue': null, ...(!isText && { 'ui:inputType': 'number' }) } }
}

/** Without this, the form would show only the first type, and would not offer null alongside a list or an object. */
function split(schema: RJSFSchema): RJSFSchema {
  const types = getTypes(schema)
  const own = types.filter((type) => type !== 'null')
  const isOne = own.length < 2 && (own.length === types.length || own.every((type) => type in scalarTitles))
  if (isOne || schema.enum || schema.const !== undefined || unions.some((key) => key in schema)) return schema
  const { title, description, default: byDefault, type: _, ...rest } = schema
  const said = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  const anyOf = types.map((type) => (type in scalarTitles || type === 'null' ? { type } : { ...rest, type }))
  return { ...said, ...(byDefault !== undefined && { default: byDefault }), anyOf } as RJSFSchema
}

/** Choices without a title are labeled by their type, unless several have the same type. */
function named(schema: RJSFSchema): RJSFSchema {
  const key = unions.find((one) => Array.isArray(schema[one]))
  if (!key) return schema
  const choices = schema[key] ?? []
  const names = choices.map(titleOf)
  const isTold = (name: string | undefined): boolean => names.filter((other) => other === name).length === 1
  const titledChoices = choices.map((choice, index) => {
    const title = names[index]
    return isObject(choice) && choice.title === undefined && title !== undefined && isTold(title)
      ? { ...choice, title }
      : choice
  })
  return { ...schema, [key]: titledChoices }
}

/** The form sets no value for a choice with `type: 'null'`, but does so for a constant. */
function withNull(schema: RJSFSchema): RJSFSchema {
  const key = unions.find((one) => Array.isArray(schema[one]))
  if (!key) return schema
  const choices = (schema[key] ?? []).map((choice) => {
    if (!isObject(choice) || choice.type !== 'null') return choice
    const { type: _, ...rest } = choice
    return { ...rest, const: null }
  })
  return { ...schema, [key]: choices }
}

function titleOf(choice: unknown): string | undefined {
  if (!isObject(choice) || choice.const !== undefined || choice.enum) return undefined
  const [type = '', ...others] = getTypes(choice)
  return others.length === 0 ? ownEntry(titles, type) : undefined
}

/** Returns the schema of a nullable field with one other type; undefined for all other schemas. */
function asNullable(schema: RJSFSchema): RJSFSchema | undefined {
  const types = getTypes(schema)
  if (types.length === 2 && types.includes('null') && !unions.some((one) => one in schema))
    return types.some((type) => type in scalarTitles) && isOpen(schema) ? schema : undefined
  const key = unions.find((one) => schema[one]?.length === 2)
  const choices = (key && schema[key]) ?? []
  const one = choices
    .filter(isObject)
    .find((choice) => ownEntry(scalarTitles, getTypes(choice).join()) && isOpen(choice))
  if (!key || !one || !choices.some((choice) => isObject(choice) && choice.type === 'null')) return undefined
  const { [key]: _, ...rest } = schema
  const { title: __, ...plain } = one
  return { ...plain, ...rest, type: [...getTypes(one), 'null'] as RJSFSchema['type'] } as RJSFSchema
}

/** Returns whether a schema has neither enumerated values nor a constant. */
function isOpen(schema: RJSFSchema): boolean {
  return !schema.enum && schema.const === undefined
}

/** Returns the types that a schema allows; empty if it specifies none. */
export function getTypes({ type }: RJSFSchema): readonly string[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type]
}

function isObject(schema: unknown): schema is RJSFSchema {
  return typeof schema === 'object' && schema !== null
}
