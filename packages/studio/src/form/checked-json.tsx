import { type ReactNode, useMemo } from 'react'
import { JsonEditor } from '../editor/json-editor.tsx'
import { type CheckedValue, useIssues } from './use-issues.ts'

export interface CheckedJsonProps extends CheckedValue {
  /** Receives the edited value. */
  onChange(value: unknown): void
  /** The accessible label. */
  readonly label: string
}

/** Edits a value as JSON, and shows errors at their lines. */
export function CheckedJson({ onChange, label, ...checked }: CheckedJsonProps): ReactNode {
  const found = useIssues(checked)
  // Its own line is that of a template inside a string.
  const issues = useMemo(
    () =>
      found.map(({ path, message, line, column = 1 }) => ({
        path,
        message: line === undefined ? message : `${message} (line ${line}, column ${column} of the template)`,
      })),
    [found],
  )
  return <JsonEditor value={checked.value} onChange={onChange} label={label} issues={issues} />
}
