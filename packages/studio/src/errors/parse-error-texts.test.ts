import { readFileSync } from 'node:fs'
import { failures } from '@trestle/bridge-client'
import { errorStatuses } from '@trestle/protocol'
import { expect, test } from 'vitest'
import { parseErrorTexts } from './parse-error-texts.ts'

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')

test('documents every code', () => {
  const texts = parseErrorTexts(page)
  const codesOf = (wanted: string) => texts.filter(({ side }) => side === wanted).map(({ code }) => code)
  expect(codesOf('bridge').sort()).toEqual(Object.keys(errorStatuses).sort())
  expect(codesOf('bridge-client').sort()).toEqual(Object.keys(failures).sort())
  expect(codesOf('api-client').length).toBeGreaterThan(10)
  expect(texts.find(({ code }) => code === 'SignatureMismatchError')).toMatchObject({ side: 'bridge', status: '401' })
  for (const { when, why, fix, message } of texts)
    for (const text of [when, why, fix, message]) expect(text).toMatch(/^\S.*\S$/)
})

test.each([
  ['a part of its own', '## Others\n\n### `A`\n', /unknown side/],
  ['a section without a cause', page.replace(/^- \*\*Why:.*$/m, ''), /incomplete.*SignatureNotFoundError/s],
])('%s fails the build', (_what, text, message) => {
  expect(() => parseErrorTexts(text)).toThrow(message)
})
