import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UsageError } from '../../terminal/usage-error.ts'
import { prepareOutput } from './prepare-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-output-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('creates the folder, and writes the file only with the result', () => {
  const path = join(folder, 'missing/below/report.html')
  const write = prepareOutput('report', path)
  expect(existsSync(path)).toBe(false)
  write('new')
  prepareOutput('report', path)
  expect(readFileSync(path, 'utf8')).toBe('new')
})

test.each([
  ['a folder', 'taken', 'EISDIR'],
  ['a file in a file', 'file/report.html', /EEXIST|ENOTDIR/],
  ['a name that is too long', 'x'.repeat(300), 'ENAMETOOLONG'],
])('rejects %s with the path and the reason', (_what, name, reason) => {
  mkdirSync(join(folder, 'taken'), { recursive: true })
  writeFileSync(join(folder, 'file'), '')
  const path = join(folder, name)
  const prepare = () => prepareOutput('report', path)
  expect(prepare).toThrow(UsageError)
  expect(prepare).toThrow(path)
  expect(prepare).toThrow(reason)
})
