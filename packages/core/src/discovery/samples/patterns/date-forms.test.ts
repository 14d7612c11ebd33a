import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDictionary } from '../../dictionary/dictionary.ts'
import { toDates, toTimes } from './date-forms.ts'

const anyDigits = fc.array(fc.constantFrom(...'0123456789-'), { maxLength: 11 }).map((signs) => signs.join(''))
const anyYear = fc.constantFrom('0000', '0001', '1999', '2026', '9998', '9999')
const anyPart = fc.constantFrom('', '-', '-0', '-1', '-02', '-12', '-13', '-02-30', '-02-29', '-12-31', '-1-1', '0102')
const anyText = fc.oneof(
  anyDigits,
  fc.tuple(anyYear, anyPart).map(([year, part]) => `${year}${part}`),
)
const anyNumber = fc.oneof(fc.integer({ min: -5, max: 70 }), fc.constantFrom(999, 1000, 2026, 9999, 10_000, 1e16))
const anyUse = fc.constantFrom('', '.getUTCHours()', '.getMinutes()', '.getDay()', '.getDate()', '.getMonth()')
const anySource = fc
  .record({ text: anyText, number: anyNumber, use: anyUse, method: fc.constantFrom('startsWith', 'includes') })
  .map(({ text, number, use, method }) => {
    const begins = `if (payload.at.${method}('${text}') || payload.at === '${text}' || payload.at > '${text}') a()`
    return `({ payload }) => { ${begins}; if (new Date(payload.at)${use || '.getFullYear()'} > ${number}) b() }`
  })

test('what is tried for a date is a date that there is', () => {
  fc.assert(
    fc.property(anySource, (source) => {
      const dictionary = toDictionary(source)
      for (const date of toDates(dictionary, 'at', 'date-time')) expect(new Date(date).toISOString()).toBe(date)
      for (const day of toDates(dictionary, 'at', 'date')) expect(new Date(day).toISOString().slice(0, 10)).toBe(day)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['2026', '2026-01-01'],
  ['2027-', '2027-01-01'],
  ['2027-05', '2027-05-01'],
  ['2027-05-', '2027-05-01'],
  ['2027-05-17', '2027-05-17'],
])('a date that begins with %s is tried', (text, day) => {
  const dictionary = toDictionary(`({ payload }) => { if (payload.at.startsWith('${text}')) a() }`)
  expect(toDates(dictionary, 'at', 'date')).toContain(day)
})

test.each([
  ['30', [29.5, 30.5]],
  ['1000', [999.5, 1000.5]],
  ['1001', []],
])('of days in which %s of them are a bound are tried those around it', (bound, expected) => {
  const days = 'differenceInDays(Date.now(), payload.at)'
  const dictionary = toDictionary(`({ payload }) => { if (${days} > ${bound}) a() }`)
  const nowMs = Date.now()
  const offsets = toTimes(dictionary, 'at').map((ms) => Math.round((nowMs - ms) / 8_640_000) / 10)
  expect(offsets.slice(4).filter((offset) => offset > 0)).toEqual(expected)
})
