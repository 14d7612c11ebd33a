import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from './operations/operations.ts'

const page = readFileSync(new URL('../../docs/service/operations.md', import.meta.url), 'utf8')

test('the page lists every operation with its path', () => {
  const rows = [...page.matchAll(/^\| `([\w.]+)` +\| `([A-Z]+ \/[^`]+)` +\|$/gm)]
  const listed = rows.map(([, name, line]) => `${name} ${line}`).sort()
  expect(listed).toEqual(operations.map(({ name, method, path }) => `${name} ${method} ${path}`).sort())
})
