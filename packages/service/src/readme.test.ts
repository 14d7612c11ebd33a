import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSettings } from './config/settings.ts'
import { operations } from './operations/operations.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(folder, 'README.md'), 'utf8')

test('the README has every operation with its path and a test', () => {
  const rows = [...readme.matchAll(/^\| `([\w.]+)` +\| `([A-Z]+ \/[^`]+)` +\| \[[^\]]+\]\(([^)]+)\)/gm)]
  const told = rows.map(([, name, line]) => `${name} ${line}`).sort()
  expect(told).toEqual(operations.map(({ name, method, path }) => `${name} ${method} ${path}`).sort())
  for (const [, name, , path = ''] of rows)
    expect(readFileSync(join(folder, path), 'utf8').length, name).toBeGreaterThan(0)
})

test('the README has every option', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|.*\|.*\|.*\|$/gm)].map(([, name]) => name)
  expect(rows).toEqual(expect.arrayContaining(Object.keys(readSettings({}, {}))))
})
