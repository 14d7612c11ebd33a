import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { type Package, packages } from './source.ts'

const checkers = new Map<string, ts.TypeChecker>()

/** The functions that the entries of a package export, with the declaration each was written as. */
function publicFunctions({ path, file }: Package): readonly { name: string; node: ts.Declaration }[] {
  const entries = Object.values(file.exports as Record<string, { default?: string }>)
    .map((entry) => entry.default)
    .filter((built) => built?.startsWith('./dist/') === true)
    .map((built = '') => join(path, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')))
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  }
  const program = ts.createProgram(entries, options)
  const checker = program.getTypeChecker()
  checkers.set(path, checker)
  return entries.flatMap((entry) => {
    const source = program.getSourceFile(entry)
    const module = source && checker.getSymbolAtLocation(source)
    return (module ? checker.getExportsOfModule(module) : []).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const node = symbol.valueDeclaration
      if (!node?.getSourceFile().fileName.startsWith(path)) return []
      const isFunction =
        ts.isFunctionDeclaration(node) ||
        (ts.isVariableDeclaration(node) && checker.getTypeAtLocation(node).getCallSignatures().length > 0)
      return isFunction ? [{ name: exported.name, node }] : []
    })
  })
}

function tagsOf(node: ts.Declaration): readonly string[] {
  return ts.getJSDocTags(node).map(({ tagName }) => tagName.text)
}

/** Whether a function makes an error of ours itself: what it calls is described there. */
function throwsOurs(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) && node.expression && ts.isNewExpression(node.expression)) return true
  return (
    ts.forEachChild(node, (child) => (ts.isFunctionLike(child) ? undefined : throwsOurs(child) || undefined)) ?? false
  )
}

describe.each(packages.map((owner) => [owner.folder, owner] as const))('%s', (_folder, owner) => {
  const functions = publicFunctions(owner)

  test('every public function has an example', () => {
    expect(functions.filter(({ node }) => !tagsOf(node).includes('example')).map(({ name }) => name)).toEqual([])
  })

  test('every public function that throws says what', () => {
    const silent = functions.filter(({ node }) => throwsOurs(node) && !tagsOf(node).includes('throws'))
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})
