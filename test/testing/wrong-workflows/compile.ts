import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { expect } from 'vitest'

/**
 * Returns the exports of a module from its source.
 *
 * @param modules - The imported modules, by name.
 */
export function compileModule(text: string, modules: Readonly<Record<string, unknown>>): unknown {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 }
  const { outputText, diagnostics = [] } = ts.transpileModule(text, { compilerOptions, reportDiagnostics: true })
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([])
  const exports = {}
  compileFunction(outputText, ['exports', 'require'])(exports, (name: string) => modules[name])
  return exports
}
