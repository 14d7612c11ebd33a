import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import type { RjsfFormProps } from './rjsf-form.tsx'

const RjsfForm = lazy(async () => ({ default: (await import('./rjsf-form.tsx')).RjsfForm }))
const fieldHeight = 34

/** Edits a value in a form generated from its JSON Schema. The form's code is loaded when it is first shown. */
export function SchemaForm(props: RjsfFormProps): ReactNode {
  const fields = Object.keys((props.schema['properties'] ?? {}) as object).length
  return (
    <Suspense fallback={<Skeleton rows={Math.max(1, fields * 2)} height={fieldHeight} />}>
      <RjsfForm {...props} />
    </Suspense>
  )
}
