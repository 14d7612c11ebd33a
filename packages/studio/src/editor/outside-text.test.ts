import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { isEdit, toOutsideText } from './outside-text.ts'

const state = EditorState.create({ doc: 'one\r\ntwo' })

test('a text that differs only in line ends is shown already', () => {
  for (const same of ['one\r\ntwo', 'one\ntwo', 'one\rtwo']) expect(toOutsideText(state, same)).toBeUndefined()
})

test('a text from outside replaces the text, and is not an edit', () => {
  const outside = state.update(toOutsideText(state, 'three\r\nfour') ?? {})
  expect(outside.state.doc.toString()).toBe('three\nfour')
  expect(toOutsideText(outside.state, 'three\r\nfour')).toBeUndefined()
  expect(isEdit([outside])).toBe(false)
  const edit = outside.state.update({ changes: { from: 0, insert: 'x' } })
  expect(isEdit([edit])).toBe(true)
  expect(isEdit([outside, edit])).toBe(true)
  expect(isEdit([outside.state.update({ selection: { anchor: 1 } })])).toBe(false)
})
