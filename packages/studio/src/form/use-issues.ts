import { useEffect, useMemo } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import { findIssues, type ValueIssue } from './values/form-validator.ts'

/** A value and its checks. */
export interface CheckedValue {
  /** The JSON Schema of the value. */
  readonly schema: JsonSchema
  readonly value: unknown
  /** Additional errors by field path, such as `/items/0/name`. */
  readonly issues?: readonly ValueIssue[] | undefined
  /** Receives the errors of the value, and none when the editor is removed. It must not change between renders. */
  readonly onIssues?: ((issues: readonly ValueIssue[]) => void) | undefined
}

const none: readonly ValueIssue[] = []

/**
 * Returns the errors of a value. Additional errors replace those of the schema for the same field, because they are more
 * precise.
 */
export function useIssues({ schema, value, issues = none, onIssues }: CheckedValue): readonly ValueIssue[] {
  const own = useMemo(() => findIssues(schema, value), [schema, value])
  useEffect(() => {
    onIssues?.(own)
    return () => onIssues?.(none)
  }, [own, onIssues])
  return useMemo(() => {
    const otherPaths = new Set(issues.map(({ path }) => path))
    return [...own.filter(({ path }) => !otherPaths.has(path)), ...issues]
  }, [own, issues])
}
