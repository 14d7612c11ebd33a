import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { moveProject } from './move-project.ts'

const version = '0.1.0'
const remark = { line: 0, text: 'It is not UTF-8 and was not changed. Save it as UTF-8, and run this again.' }

function write(files: Readonly<Record<string, Buffer | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-codemod-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  return folder
}

const encodings: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ['Latin-1', (text) => Buffer.from(text, 'latin1')],
  ['UTF-16 LE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 BE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 LE without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 BE without a mark', (text) => Buffer.from(text, 'utf16le').swap16()],
]

const changedFiles = {
  'a.ts': "import { serve } from '@novu/framework/next'\n// Grüße\nexport const a = serve({ workflows: [] })\n",
  '.env': '# Schlüssel\nNOVU_SECRET_KEY=a\n',
  'package.json': '{ "author": "Jürgen", "dependencies": { "@novu/framework": "2" } }\n',
}

test.each(encodings)('reports files in %s that it would change, and does not write them', (_name, encode) => {
  const encoded = Object.fromEntries(Object.entries(changedFiles).map(([path, text]) => [path, encode(text)]))
  const folder = write({ ...encoded, 'other.ts': encode('// Grüße\nexport const b = 1\n') })
  const moved = moveProject(folder, { version })
  expect(moved.toSorted((one, other) => one.path.localeCompare(other.path, 'en'))).toEqual(
    ['.env', 'a.ts', 'package.json'].map((path) => ({ path, isChanged: false, remarks: [remark] })),
  )
  for (const [path, bytes] of Object.entries(encoded)) expect(readFileSync(join(folder, path))).toEqual(bytes)
})

test.each(encodings)('moves a file in %s after it was saved as UTF-8', (_name, encode) => {
  const folder = write({ ...changedFiles, 'a.ts': encode(changedFiles['a.ts']) })
  moveProject(folder, { version })
  // The packages of the file that was not changed are already added.
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"@trestle/next"')
  writeFileSync(join(folder, 'a.ts'), changedFiles['a.ts'])
  expect(moveProject(folder, { version })).toEqual([{ path: 'a.ts', isChanged: true, remarks: [] }])
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toMatch(/@trestle\/next[\s\S]*Grüße/)
})

test('keeps the name of a variable that a file in another encoding reads', () => {
  const text =
    "import { Client } from '@novu/framework'\n// ü\nnew Client({ secretKey: process.env.NOVU_SECRET_KEY })\n"
  const files = { ...changedFiles, 'client.ts': Buffer.from(text, 'latin1') }
  const folder = write(files)
  moveProject(folder, { version })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/^NOVU_SECRET_KEY=a$/m)
})

test('keeps the byte order mark of a UTF-8 file', () => {
  const folder = write({ 'a.ts': `\uFEFF${changedFiles['a.ts']}` })
  expect(moveProject(folder, { version })).toMatchObject([{ path: 'a.ts', isChanged: true }])
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toMatch(/^\uFEFFimport /)
})
