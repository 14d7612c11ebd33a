import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { type Package, packages } from '../repository.ts'

interface PublicName {
  readonly name: string
  readonly node: ts.Declaration
}

/** The source files of the entry points of a package. */
function entriesOf({ path, file }: Package): readonly string[] {
  return Object.values(file.exports as Record<string, { default?: string }>)
    .map((entry) => entry.default)
    .filter((built) => built?.startsWith('./dist/') === true)
    .map((built = '') => join(path, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')))
}

// One program for all packages: most of the time is needed for the types of libraries, which they share.
const program = ts.createProgram(packages.flatMap(entriesOf), {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
})
const checker = program.getTypeChecker()

/** Everything that the entry points of a package export and the package itself declares. */
function publicNames(owner: Package): readonly PublicName[] {
  return entriesOf(owner).flatMap((entry) => {
    const source = program.getSourceFile(entry)
    const module = source && checker.getSymbolAtLocation(source)
    return (module ? checker.getExportsOfModule(module) : []).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const [node] = symbol.declarations ?? []
      const isOurs = node?.getSourceFile().fileName.startsWith(join(owner.path, 'src')) === true
      return isOurs && !ts.isSourceFile(node) ? [{ name: exported.name, node }] : []
    })
  })
}

function isFunction({ node }: PublicName): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    (ts.isVariableDeclaration(node) && checker.getTypeAtLocation(node).getCallSignatures().length > 0)
  )
}

/** Generated names of JSON schemas; their fields are described in the schema. */
function isGenerated(node: ts.Node): boolean {
  return node.getSourceFile().fileName.includes('/generated/')
}

/** The fields of a public options type, wherever they are declared. */
function optionFields({ name, node }: PublicName): readonly PublicName[] {
  if (!/(?:Options|Config|Settings)$/.test(name)) return []
  const fields: PublicName[] = []
  const visit = (child: ts.Node): void => {
    if (ts.isPropertySignature(child)) fields.push({ name: `${name}.${child.name.getText()}`, node: child })
    else if (!ts.isFunctionLike(child)) child.forEachChild(visit)
  }
  node.forEachChild(visit)
  return fields
}

function tagsOf(node: ts.Declaration): readonly string[] {
  return ts.getJSDocTags(node).map(({ tagName }) => tagName.text)
}

/**
 * Returns whether a function itself throws one of our errors; the functions that it calls have their own documentation.
 */
function throwsOurs(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) && node.expression && ts.isNewExpression(node.expression)) return true
  return (
    ts.forEachChild(node, (child) => (ts.isFunctionLike(child) ? undefined : throwsOurs(child) || undefined)) ?? false
  )
}

function isDescribed({ node }: PublicName): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0
}

describe.each(packages.map((owner) => [owner.folder, owner] as const))('%s', (_folder, owner) => {
  const names = publicNames(owner)
  const functions = names.filter(isFunction)

  test('every public name has a description', () => {
    const silent = names.filter((publicName) => !isGenerated(publicName.node) && !isDescribed(publicName))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('every public option has a description', () => {
    const silent = names.flatMap(optionFields).filter((field) => !isDescribed(field))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('every public function has an example', () => {
    expect(functions.filter(({ node }) => !tagsOf(node).includes('example')).map(({ name }) => name)).toEqual([])
  })

  test('every public function that throws documents the error', () => {
    const silent = functions.filter(({ node }) => throwsOurs(node) && !tagsOf(node).includes('throws'))
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})
