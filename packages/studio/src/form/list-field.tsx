import CoreArray from '@rjsf/core/lib/components/fields/ArrayField.js'
import { createSchemaUtils, type FieldProps, type RJSFSchema } from '@rjsf/utils'
import type { ComponentType, ReactNode } from 'react'
import { formValidator } from './values/form-validator.ts'

const CoreList = CoreArray as ComponentType<FieldProps>

/** Edits a list. The form fills in no defaults, except where one asks for a new item: that begins with its own. */
export function ListField(props: FieldProps): ReactNode {
  const { formData, schema, registry, fieldPathId, onChange } = props
  const change: FieldProps['onChange'] = (value: unknown, path, ...rest) => {
    const length = Array.isArray(formData) ? formData.length : 0
    const isAdded = Array.isArray(value) && value.length === length + 1 && path.length === fieldPathId.path.length
    onChange(
      isAdded ? [...value.slice(0, -1), newItem(schema, registry.rootSchema) ?? value.at(-1)] : value,
      path,
      ...rest,
    )
  }
  return <CoreList {...props} onChange={change} />
}

function newItem({ items }: RJSFSchema, rootSchema: RJSFSchema): unknown {
  if (typeof items !== 'object' || Array.isArray(items)) return undefined
  return createSchemaUtils(formValidator, rootSchema).getDefaultFormState(items)
}
