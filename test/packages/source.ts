import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The root of the repository. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** The fields of a `package.json` that are read. */
export interface PackageFile {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, unknown>>
  /** Whether importing its files has side effects; a list names the files that do. */
  readonly sideEffects?: boolean | readonly string[]
  /** The packed files other than `package.json`. */
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package of the repository. */
export interface Package {
  /** The folder name. */
  readonly folder: string
  readonly path: string
  readonly file: PackageFile
}

/** The packages that are published. */
export const packages: readonly Package[] = readdirSync(join(root, 'packages'))
  .map((folder) => ({ folder, path: join(root, 'packages', folder) }))
  .map((entry) => ({ ...entry, file: readJson(join(entry.path, 'package.json')) as PackageFile }))
  .filter(({ file }) => !file.private)

/** Returns folders of packages together with those of their direct and indirect dependencies. */
export function withDependencies(folders: readonly string[]): readonly string[] {
  const all = new Set(folders)
  for (const folder of all) {
    const { dependencies = {} } = packages.find((one) => one.folder === folder)?.file ?? {}
    for (const { folder: other, file } of packages) if (Object.hasOwn(dependencies, file.name)) all.add(other)
  }
  return [...all]
}

/** Reads a JSON file. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

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

/** Returns a package's source files, without tests and fixtures. */
export function sourcesOf({ path }: Package): readonly Source[] {
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
