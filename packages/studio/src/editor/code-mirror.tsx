import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { codeColors, codeTheme } from './code-theme.ts'
import type { TemplateVariable } from './template-completion.ts'

/** The language of the edited text. */
export type CodeLanguage = 'json' | 'html' | 'text'

/** A problem at a position in the text. */
export interface CodeMark {
  /** The line, starting at 1. */
  readonly line: number
  /** The column, starting at 1. */
  readonly column?: number | undefined
  readonly message: string
}

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
const lineHeight = 20

/**
 * Edits JSON, HTML or text with syntax highlighting, line numbers and markers. Tab moves focus out of the editor, as in
 * every field.
 */
export function CodeMirror(props: CodeMirrorProps): ReactNode {
  const { value, marks } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const change = useRef(props.onChange)
  change.current = props.onChange
  const variables = useRef(props.variables)
  variables.current = props.variables

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and then follows its props
  useLayoutEffect(() => {
    if (!host.current) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: extensionsOf(props, change),
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
    const currentText = view.current?.state.doc.toString()
    if (view.current && currentText !== value)
      view.current.dispatch({ changes: { from: 0, to: currentText?.length ?? 0, insert: value } })
  }, [value])

  useEffect(() => {
    if (view.current && marks)
      view.current.dispatch(setDiagnostics(view.current.state, diagnosticsOf(view.current, marks)))
  }, [marks])

  return <div ref={host} data-editor />
}

type Change = { readonly current: ((value: string) => void) | undefined }

function extensionsOf(
  { language = 'json', label, minRows = 3, maxRows = 24, onChange }: CodeMirrorProps,
  change: Change,
): Extension {
  return [
    onChange ? [history(), indentOnInput(), bracketMatching()] : [EditorState.readOnly.of(true)],
    lineNumbers(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    language === 'json' ? [json(), linter(lintJson, { delay: lintDelayMs })] : [],
    grammar.of([]),
    lintGutter(),
    syntaxHighlighting(codeColors),
    codeTheme,
    EditorView.theme({
      '.cm-content, .cm-gutter': { minHeight: `${minRows * lineHeight}px` },
      '.cm-scroller': { maxHeight: `${maxRows * lineHeight + 18}px` },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) change.current?.(update.state.doc.toString())
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
