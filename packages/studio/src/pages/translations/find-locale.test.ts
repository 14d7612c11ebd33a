import { expect, test } from 'vitest'
import { findLocale } from './find-locale.ts'

test.each([
  ['de_DE', 'de_DE'],
  ['de-DE', 'de_DE'],
  ['DE-de', 'de_DE'],
  [' de_DE ', 'de_DE'],
  ['ZH-hant-tw', 'zh_Hant_TW'],
  ['de', undefined],
  ['de_AT', undefined],
  ['', undefined],
])('%j is the existing language %j', (typed, locale) => {
  expect(findLocale(['en', 'de_DE', 'zh_Hant_TW'], typed)).toBe(locale)
})
