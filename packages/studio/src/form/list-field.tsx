import CoreArray from '@rjsf/core/lib/components/fields/ArrayField.js'
import type { FieldProps } from '@rjsf/utils'
import type { ComponentType, ReactNode } from 'react'
import { ownDefault } from './values/own-default.ts'

const CoreList = CoreArray as ComponentType<FieldProps>

/** Edits a list. The form does not fill in defaults, except in new items. */
export function ListField(props: FieldProps): ReactNode {
  const { formData, schema, registry, fieldPathId, onChange } = props
  const { schemaUtils } = registry
  const isChosen = schemaUtils.isMultiSelect(schema)
  const change: FieldProps['onChange'] = (value: unknown, path, ...rest) => {
    const isOwn = !isChosen && path.length === fieldPathId.path.length
    const added =
      isOwn && isOneMore(value, formData)
        ? ownDefault(schema.items, (one) => schemaUtils.retrieveSchema(one))
        : undefined
    onChange(added === undefined || !Array.isArray(value) ? value : value.with(-1, added), path, ...rest)
  }
  return <CoreList {...props} onChange={change} />
}

function isOneMore(value: unknown, before: unknown): boolean {
  const items = Array.isArray(before) ? before : []
  return (
    Array.isArray(value) && value.length === items.length + 1 && items.every((item, index) => item === value[index])
  )
}
