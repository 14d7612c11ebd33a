import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, StateEffect } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { type CodeMark, type JsonIssue, toMarks } from './code-marks.ts'
import { codeColors, codeTheme } from './code-theme.ts'
import style from './json-editor.module.css'
import { isEdit, toOutsideText } from './outside-text.ts'
import type { TemplateVariable } from './template-completion.ts'

/** The language of the edited text. */
export type CodeLanguage = 'json' | 'html' | 'text'

export interface CodeMirrorProps {
  readonly value: string
  /** Receives the edited text; without it, the editor is read-only. */
  readonly onChange?: ((value: string) => void) | undefined
  /** The language. @default 'json' */
  readonly language?: CodeLanguage | undefined
  /** The accessible label. */
  readonly label: string
  /** Problems, shown at their lines. */
  readonly marks?: readonly CodeMark[] | undefined
  /** Problems of a JSON text by path, shown at their lines and listed below. */
  readonly issues?: readonly JsonIssue[] | undefined
  /** The minimum number of visible lines. @default 3 */
  readonly minRows?: number | undefined
  /** The maximum number of visible lines before the editor scrolls. @default 24 */
  readonly maxRows?: number | undefined
  /** The variables that a template can print. @default none are completed */
  readonly variables?: readonly TemplateVariable[] | undefined
}

const grammar = new Compartment()
const jsonLinter = jsonParseLinter()
/** An empty text can mean no value or a missing value; the parent decides. */
const lintJson: typeof jsonLinter = (view) => (view.state.doc.length === 0 ? [] : jsonLinter(view))
const lintDelayMs = 200
const marksChanged = StateEffect.define()
const noMarks: readonly CodeMark[] = []
const lineHeight = 20

/**
 * Edits JSON, HTML or text with syntax highlighting, line numbers and markers. Tab moves focus out of the editor, as in
 * every field.
 */
export function CodeMirror(props: CodeMirrorProps): ReactNode {
  const { value, issues } = props
  const placed = useMemo(() => (issues ? toMarks(value, issues) : noMarks), [value, issues])
  const marks = props.marks ?? placed
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const change = useRef(props.onChange)
  change.current = props.onChange
  const variables = useRef(props.variables)
  variables.current = props.variables
  const currentMarks = useRef(marks)
  currentMarks.current = marks

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and then follows its props
  useLayoutEffect(() => {
    if (!host.current) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: extensionsOf(props, { change, marks: currentMarks }),
      }),
    })
    view.current = editor
    let isShown = true
    // The HTML grammar includes the grammars of styles and scripts, which JSON does not need.
    if (props.language === 'html')
      void import('./html-grammar.ts').then(
        ({ htmlGrammar }) =>
          isShown && editor.dispatch({ effects: grammar.reconfigure(htmlGrammar(() => variables.current)) }),
      )
    return () => {
      isShown = false
      editor.destroy()
    }
  }, [props.language])

  // Updated synchronously after the commit: if the value came back later, fast typing would lose characters.
  useLayoutEffect(() => {
    const replacement = view.current && toOutsideText(view.current.state, value)
    if (replacement) view.current?.dispatch(replacement)
  }, [value])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the linter reads the marks when it runs
  useEffect(() => view.current?.dispatch({ effects: marksChanged.of(null) }), [marks])

  return (
    <>
      <div ref={host} data-editor />
      {placed.length > 0 && <MarkList marks={placed} />}
    </>
  )
}

function MarkList({ marks }: { readonly marks: readonly CodeMark[] }): ReactNode {
  return (
    <div role="status">
      <ul className={style['issues']}>
        {marks.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            Line {line}, column {column}: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What the parent can change while the editor is shown. */
interface Followed {
  readonly change: { readonly current: ((value: string) => void) | undefined }
  readonly marks: { readonly current: readonly CodeMark[] }
}

function extensionsOf(
  { language = 'json', label, minRows = 3, maxRows = 24, onChange }: CodeMirrorProps,
  { change, marks }: Followed,
): Extension {
  const isJson = language === 'json'
  return [
    onChange ? [history(), indentOnInput(), bracketMatching()] : [EditorState.readOnly.of(true)],
    lineNumbers(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    isJson ? json() : [],
    linter(async (view) => [...(isJson ? await lintJson(view) : []), ...diagnosticsOf(view, marks.current)], {
      delay: lintDelayMs,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((one) => one.is(marksChanged))),
    }),
    grammar.of([]),
    lintGutter(),
    syntaxHighlighting(codeColors),
    codeTheme,
    EditorView.theme({
      '.cm-content, .cm-gutter': { minHeight: `${minRows * lineHeight}px` },
      '.cm-scroller': { maxHeight: `${maxRows * lineHeight + 18}px` },
    }),
    EditorView.updateListener.of((update) => {
      if (isEdit(update.transactions)) change.current?.(update.state.doc.toString())
    }),
  ]
}

function diagnosticsOf({ state }: EditorView, marks: readonly CodeMark[]): readonly Diagnostic[] {
  return marks.map(({ line, column = 1, message }) => {
    const docLine = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines))
    const from = Math.min(docLine.from + column - 1, docLine.to)
    return { from, to: docLine.to, severity: 'error', message }
  })
}
