import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useInvalidText } from '../base/json-scope.tsx'
import { CodeEditor } from './code-editor.tsx'
import type { JsonIssue } from './code-marks.ts'
import style from './json-editor.module.css'

export interface JsonEditorProps {
  readonly value: unknown
  /** Receives the value whenever the text is valid JSON. */
  onChange(value: unknown): void
  /** The accessible label. */
  readonly label: string
  /** The minimum number of visible lines. @default 8 */
  readonly minRows?: number
  /** Whether empty text is allowed, which means that the value is undefined. @default false */
  readonly mayBeEmpty?: boolean
  /** Problems of the value, shown at their lines. */
  readonly issues?: readonly JsonIssue[]
}

/**
 * Edits a JSON value as text. While the text is invalid, the value does not change, the editor shows the error,
 * and buttons do not send the value.
 */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  const { value, onChange, label, minRows = 8, mayBeEmpty = false, issues } = props
  const [text, setText] = useState(() => format(value))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const own = useRef(value)
  useInvalidText(problem !== undefined)

  useEffect(() => {
    // The parent may have copied the value.
    if (value === own.current || format(value) === format(own.current)) return
    own.current = value
    setText(format(value))
    setProblem(undefined)
  }, [value])

  const change = (next: string): void => {
    setText(next)
    const read = mayBeEmpty && next.trim() === '' ? { problem: undefined } : parse(next)
    setProblem(read.problem)
    if (read.problem !== undefined) return
    own.current = read.value
    onChange(read.value)
  }
  return (
    <div className={style['editor']}>
      <CodeEditor
        language="json"
        value={text}
        onChange={change}
        label={label}
        minRows={minRows}
        issues={problem === undefined ? issues : undefined}
      />
      <p className={style['problem']} role="status">
        {problem}
      </p>
    </div>
  )
}

function format(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

function parse(text: string): { readonly value?: unknown; readonly problem: string | undefined } {
  try {
    return { value: JSON.parse(text), problem: undefined }
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : error}` }
  }
}
