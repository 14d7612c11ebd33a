import { expect, test } from 'vitest'
import { errorCode } from './error-code.ts'
import { isOverload } from './is-overload.ts'
import { nameDatabase } from './name-database.ts'

const failed = (code: unknown) => Object.assign(new Error('failed'), { code })

test.each([
  ['UNKNOWN_SQLITE_ERROR_1544', 'SQLITE_READONLY'],
  ['UNKNOWN_SQLITE_ERROR_773', 'SQLITE_BUSY'],
  ['UNKNOWN_SQLITE_ERROR_8458', 'SQLITE_IOERR'],
  ['UNKNOWN_SQLITE_ERROR_1', 'UNKNOWN_SQLITE_ERROR_1'],
  ['SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_SNAPSHOT'],
  ['57014', '57014'],
  [7, ''],
])('the code %s is %s', (code, expected) => {
  expect(errorCode(failed(code))).toBe(expected)
})

test('returns no code for values that are not errors', () => {
  for (const one of [undefined, null, 'text', 7, {}]) expect(errorCode(one)).toBe('')
})

test('reports a read-only folder with a fix, and returns 503 while the service runs', () => {
  const error = failed('UNKNOWN_SQLITE_ERROR_1544')
  expect(String(nameDatabase(error, 'data/service.db'))).toContain(
    'data/service.db cannot be used: failed. Make the file',
  )
  expect(isOverload(error)).toBe(true)
})
