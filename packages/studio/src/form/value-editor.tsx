import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import type { TemplateVariable } from '../editor/template-completion.ts'
import { Segments } from '../ui/segments.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import style from './form.module.css'
import { SchemaForm } from './schema-form.tsx'
import type { ValueIssue } from './values/form-validator.ts'

const CheckedJson = lazy(async () => ({ default: (await import('./checked-json.tsx')).CheckedJson }))
const anySchema: JsonSchema = {}

export interface ValueEditorProps {
  /** The JSON Schema of the value. */
  readonly schema: JsonSchema | undefined
  readonly value: unknown
  /** Receives the edited value. */
  onChange(value: unknown): void
  /** The accessible label, such as `The payload`. */
  readonly label: string
  /** The prefix of field ids; forms on the same page need different ones. */
  readonly idPrefix: string
  /** Whether strings are templates. @default false */
  readonly templates?: boolean
  /** The variables that the templates can print. */
  readonly variables?: readonly TemplateVariable[]
  /** Additional errors by field path. */
  readonly issues?: readonly ValueIssue[]
  /** Receives the errors that the form shows. It must not change between renders. @default none are reported */
  readonly onIssues?: (issues: readonly ValueIssue[]) => void
  /** Content at the start of the toolbar. */
  readonly children?: ReactNode
}

/** Edits a value as a form or as JSON; only as JSON if the schema has no fields. */
export function ValueEditor({ schema, children, ...props }: ValueEditorProps): ReactNode {
  const [view, setView] = useState<'form' | 'json'>('form')
  const hasFields =
    schema !== undefined && ['properties', 'oneOf', 'anyOf', 'allOf', '$ref'].some((key) => key in schema)
  const activeView = hasFields ? view : 'json'
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
      {activeView === 'form' && schema ? (
        <SchemaForm schema={schema} {...props} />
      ) : (
        <Suspense fallback={<Skeleton rows={8} height={20} />}>
          <CheckedJson schema={schema ?? anySchema} {...props} onIssues={undefined} />
        </Suspense>
      )}
    </div>
  )
}
