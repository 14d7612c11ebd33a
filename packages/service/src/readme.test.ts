import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { operations } from './operations/operations.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(folder, 'README.md'), 'utf8')

test('the README lists every operation with its path', () => {
  const rows = [...readme.matchAll(/^\| `([\w.]+)` +\| `([A-Z]+ \/[^`]+)` +\|$/gm)]
  const listed = rows.map(([, name, line]) => `${name} ${line}`).sort()
  expect(listed).toEqual(operations.map(({ name, method, path }) => `${name} ${method} ${path}`).sort())
})
