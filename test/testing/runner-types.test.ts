import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Each of these files holds right lines, and wrong ones under @ts-expect-error, which is a fault itself when they pass.
const entries = ['vitest', 'jest', 'bun'] as const

test.each(entries)('the matchers of %s are typed', { timeout: 60_000 }, (entry) => {
  const file = fileURLToPath(new URL(`types/${entry}.ts`, import.meta.url))
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  })
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
  expect(faults).toEqual([])
})
