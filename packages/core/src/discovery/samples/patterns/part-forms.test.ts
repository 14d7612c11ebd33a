import { expect, test } from 'vitest'
import { toDictionary } from '../../dictionary/dictionary.ts'
import { toTextForms } from './text-forms.ts'

const source = `
  const [a, b, c] = payload.code.split('-')
  a === 'x' || b === 'y' || c === 'z' || payload.code.split('.').length > 3
  payload.code.split('-').length > 4 || payload.code.split('-').length === 7`

test('the numbers of parts that are asked for come before other ways to have a part', () => {
  const forms = toTextForms(toDictionary(source), { name: 'code', schema: { type: 'string' }, usual: () => 'code' })
  const counts = new Set(forms.map(({ value }) => value.split('-').length))
  expect([2, 4, 5, 7, 8].filter((count) => !counts.has(count))).toEqual([])
})
