import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { packages } from '../repository.ts'

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  experimentalDecorators: true,
  types: ['node'],
}

/** Examples with a name are complete files. */
const examples = packages.flatMap(({ path }) => {
  const text = readFileSync(join(path, 'README.md'), 'utf8')
  return [...text.matchAll(/^```ts ([\w-]+)\n([\s\S]*?)^```/gm)].map(([, name = '', code = '']) => ({ name, code }))
})

test('examples that are complete files compile with the strictest options', () => {
  expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(['orders', 'redis-nonces']))
  const folder = mkdtempSync(fileURLToPath(new URL('.examples-', import.meta.url)))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), code)
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
    const faults = ts.getPreEmitDiagnostics(
      ts.createProgram(
        files.map((name) => join(folder, name)),
        options,
      ),
    )
    expect(
      faults.map((fault) => `${fault.file?.fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`),
    ).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
