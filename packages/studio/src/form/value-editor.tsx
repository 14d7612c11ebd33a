import { type ReactNode, useState } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import { JsonEditor } from '../editor/json-editor.tsx'
import { Segments } from '../ui/segments.tsx'
import style from './form.module.css'
import { SchemaForm } from './schema-form.tsx'
import type { ValueIssue } from './values/form-validator.ts'

/** What an editor of a value with a schema is given. */
export interface ValueEditorProps {
  /** JSON Schema of the value. */
  readonly schema: JsonSchema | undefined
  /** The value. */
  readonly value: unknown
  /** Receives the value as it is edited. */
  onChange(value: unknown): void
  /** What it is, for screen readers: `The payload`. */
  readonly label: string
  /** Comes before the ids of the fields; forms of one page need different ones. */
  readonly idPrefix: string
  /** Whether texts are templates. @default false */
  readonly templates?: boolean
  /** What others found wrong, by the path of the field. */
  readonly issues?: readonly ValueIssue[]
  /** Shown at the start of the bar above it. */
  readonly children?: ReactNode
}

/** Edits a value as a form or as JSON; without a schema that names fields as JSON only. */
export function ValueEditor({ schema, children, ...props }: ValueEditorProps): ReactNode {
  const [view, setView] = useState<'form' | 'json'>('form')
  const hasFields =
    schema !== undefined && ['properties', 'oneOf', 'anyOf', 'allOf', '$ref'].some((key) => key in schema)
  const shown = hasFields ? view : 'json'
  return (
    <div className={style['editor']}>
      <div className={style['bar']}>
        <div>{children}</div>
        {hasFields && (
          <Segments
            label={`Edit ${props.label} as`}
            value={view}
            onChange={setView}
            options={[
              { value: 'form', text: 'Form' },
              { value: 'json', text: 'JSON' },
            ]}
          />
        )}
      </div>
      {shown === 'form' && schema ? (
        <SchemaForm schema={schema} {...props} />
      ) : (
        <JsonEditor value={props.value} onChange={props.onChange} label={props.label} />
      )}
    </div>
  )
}
