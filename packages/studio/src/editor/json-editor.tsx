import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CodeEditor } from './code-editor.tsx'
import style from './json-editor.module.css'

/** What an editor of a JSON value is given. */
export interface JsonEditorProps {
  /** The value. */
  readonly value: unknown
  /** Receives the value whenever the text is JSON. */
  onChange(value: unknown): void
  /** Said to screen readers. */
  readonly label: string
  /** Fewest lines that are shown. @default 8 */
  readonly minRows?: number
  /** Whether there may be no value: then the text is empty, and the value undefined. @default false */
  readonly mayBeEmpty?: boolean
}

/** Edits a JSON value as text. While the text is not JSON the value stays as it was, and the editor says why. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  const { value, onChange, label, minRows = 8, mayBeEmpty = false } = props
  const [text, setText] = useState(() => format(value))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const own = useRef(value)

  useEffect(() => {
    // Whoever holds the value may have copied it.
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
      <CodeEditor language="json" value={text} onChange={change} label={label} minRows={minRows} />
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
