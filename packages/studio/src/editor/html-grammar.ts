import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import type { Extension } from '@codemirror/state'
import { findCompletion, type TemplateVariable } from './template-completion.ts'

/**
 * Returns the HTML grammar, with the completion of template variables.
 *
 * @param variables - Returns the current variables; `undefined` if none are completed.
 */
export function htmlGrammar(variables: () => readonly TemplateVariable[] | undefined): Extension {
  const complete = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const completion = findCompletion(state.doc.toString(), pos, variables() ?? [])
    if (!completion) return null
    const options = completion.options.map(({ path, type }) => ({
      label: path,
      apply: path + completion.end,
      ...(type !== undefined && { detail: type }),
    }))
    return { from: completion.from, options, filter: false }
  }
  return [html(), autocompletion({ override: [complete], icons: false })]
}
