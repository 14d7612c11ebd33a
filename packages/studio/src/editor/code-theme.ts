import { HighlightStyle } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor's theme, based on the page's CSS variables, so that it follows the page's theme. */
export const codeTheme: Extension = EditorView.theme({
  '&': {
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--r2)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'var(--f1)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 10px', minWidth: '28px' },
  '.cm-gutter-lint': { width: '12px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--r1)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: 'none',
    fontFamily: 'var(--mono)',
    fontSize: 'var(--f1)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected], .cm-tooltip-autocomplete-disabled > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft) !important',
    color: 'var(--text) !important',
  },
  '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { color: 'var(--accent-strong)', textDecoration: 'none' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
})

/** Syntax colors: names are prominent, values use the accent color, everything else is muted. */
export const codeColors: HighlightStyle = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName, tags.keyword], color: 'var(--accent-strong)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.attributeName], color: 'var(--warn)' },
  { tag: [tags.comment, tags.punctuation, tags.angleBracket, tags.separator], color: 'var(--text-faint)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])
