import SchemaField from '@rjsf/core/lib/components/fields/SchemaField.js'
import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import { type ReactNode, useMemo } from 'react'
import { JsonEditor } from '../editor/json-editor.tsx'
import style from './form.module.css'
import { getTypes, toFormSchema } from './values/form-schema.ts'
import { placeName } from './values/place-name.ts'

const minRows = 2

/** A field of a form. Values that a form cannot represent, such as values of any type, are edited as JSON. */
export function FormField(props: FieldProps): ReactNode {
  const { schema, formData, registry, name } = props
  const free = isFree(registry.schemaUtils.retrieveSchema(asSchema(schema), formData))
  const shaped = useMemo(() => toFormSchema(asSchema(schema)), [schema])
  // A null alternative has nothing to edit.
  if (asSchema(schema).const === null) return null
  if (!free) {
    const place = { 'ui:place': placeName(props.fieldPathId.path) }
    return <SchemaField {...props} schema={shaped.schema} uiSchema={{ ...place, ...shaped.ui, ...props.uiSchema }} />
  }
  const { type, title = name, description } = asSchema(schema)
  const fieldSchema: RJSFSchema = { title, ...(type && { type }), ...(description !== undefined && { description }) }
  return <SchemaField {...props} schema={fieldSchema} uiSchema={{ ...props.uiSchema, 'ui:field': JsonField }} />
}

/** Edits a value in a form as JSON. */
function JsonField({ schema, name, formData, onChange, fieldPathId, required }: FieldProps): ReactNode {
  const { title = name, description } = schema
  const isItem = typeof fieldPathId.path.at(-1) === 'number'
  return (
    <fieldset id={fieldPathId.$id} className={style['object']}>
      <legend className={style['legend']}>
        {title}
        {!required && !isItem && <span className={style['optional']}> optional</span>}
      </legend>
      {description !== undefined && <p className={style['description']}>{description}</p>}
      <JsonEditor
        value={formData}
        onChange={(value) => onChange(value, fieldPathId.path)}
        label={`${title} as JSON`}
        minRows={minRows}
        mayBeEmpty
      />
    </fieldset>
  )
}

/** A schema may be `true`, which allows any value. */
function asSchema(schema: unknown): RJSFSchema {
  return typeof schema === 'object' && schema !== null ? (schema as RJSFSchema) : {}
}

const shaping = ['const', 'enum', 'oneOf', 'anyOf', 'allOf', 'properties', 'patternProperties', '$ref', 'if']

/** Returns whether a schema is too general for a form, or has rules that a form cannot represent. */
function isFree(schema: RJSFSchema): boolean {
  const { items, additionalProperties, prefixItems } = schema
  const [type, ...others] = getTypes(schema).filter((name) => name !== 'null')
  if (others.length > 0) return false
  if ([schema.const, ...(schema.enum ?? [])].some((value) => typeof value === 'object' && value !== null)) return true
  if (shaping.some((key) => isShaped(schema[key]))) return false
  if (type === 'array') return prefixItems !== undefined || typeof items !== 'object' || Array.isArray(items)
  if (type === 'object') return additionalProperties !== false && !isShaped(additionalProperties)
  return type === undefined && !isShaped(additionalProperties)
}

function isShaped(part: unknown): boolean {
  return typeof part === 'object' && part !== null ? Object.keys(part).length > 0 : part !== undefined && part !== true
}
