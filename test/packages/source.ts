import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { type Package, root } from '../repository.ts'

/** A source file of a package. */
export interface Source {
  /** The path relative to the package's `src`. */
  readonly name: string
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  /** Its imports, including types: paths of files of the package, and names of other packages. */
  readonly imports: readonly string[]
}

const cache = new Map<string, readonly Source[]>()

/** Returns a package's source files, without tests and fixtures. */
export function sourcesOf({ path }: Package): readonly Source[] {
  const sources = cache.get(path) ?? readSources(path)
  cache.set(path, sources)
  return sources
}

function readSources(path: string): readonly Source[] {
  const src = join(path, 'src')
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|fixture)\.ts$/.test(name))
    .sort()
    .map((name) => {
      const file = join(src, name)
      const text = readFileSync(file, 'utf8')
      const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
      return { name, path: file, text, tree, imports: importsOf(tree, src) }
    })
}

/** Returns the folders of a package, lowest first, as the table in architecture.md lists them. */
export function foldersOf({ folder }: Package): readonly string[] {
  const page = readFileSync(join(root, 'packages/docs/architecture.md'), 'utf8')
  const [, section = ''] = page.split(`## packages/${folder}\n`)
  const [table = ''] = section.split(/^## /m)
  return [...table.matchAll(/^\| `([\w/-]+)` +\| \S/gm)].map(([, name = '']) => name)
}

function importsOf(tree: ts.SourceFile, src: string): readonly string[] {
  const imports: string[] = []
  const visit = (node: ts.Node): void => {
    const target = targetOf(node)
    // Style imports of a component are not code.
    if (target !== undefined && !(target.startsWith('.') && target.endsWith('.css')))
      imports.push(target.startsWith('.') ? relative(src, join(dirname(tree.fileName), target)) : target)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return imports
}

function targetOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
    return (node.moduleSpecifier as ts.StringLiteral).text
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return (node.argument.literal as ts.StringLiteral).text
  const [argument] =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : []
  return argument && ts.isStringLiteral(argument) ? argument.text : undefined
}

/** Returns the groups of nodes that form cycles. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return cycles
}
