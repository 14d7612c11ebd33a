import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

// Deletes each line and each statement of a file of the core in turn, and reports whether the compiler or a test of the
// conformance suite fails. Run after a build: node test/mutation/verify.mjs [path from packages/core/src]

const root = fileURLToPath(new URL('../..', import.meta.url))
const core = join(root, 'packages/core')
const name = process.argv[2] ?? 'call/verify.ts'
const file = join(core, 'src', name)
const original = readFileSync(file, 'utf8')
// Inside node_modules, so that the copy finds the core's dependencies.
const scratch = join(root, 'node_modules/.cache/trestle-mutation')

/** Returns the contents of the file after each possible deletion, without duplicates. */
function toMutants() {
  const mutants = new Map()
  const lines = original.split('\n')
  for (const [index, line] of lines.entries()) {
    if (/^\s*($|\/\/|\/?\*)/.test(line)) continue
    mutants.set(lines.toSpliced(index, 1).join('\n'), `${index + 1}: ${line.trim()}`)
  }
  const tree = ts.createSourceFile(file, original, ts.ScriptTarget.Latest, true)
  const visit = (node) => {
    if (ts.isStatement(node) && !ts.isBlock(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const text = original.slice(0, node.getFullStart()) + original.slice(node.end)
      if (!mutants.has(text)) mutants.set(text, `${line}: ${node.getText().split('\n')[0]} (whole statement)`)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return mutants
}

/** Creates a type check of the whole package that can be repeated quickly with a different text for one file. */
function createCompiler() {
  const { config } = ts.readConfigFile(join(core, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames: sources, options } = ts.parseJsonConfigFileContent(
    { ...config, compilerOptions: { ...config.compilerOptions, rootDir: '../..' } },
    ts.sys,
    core,
  )
  // Type tests that must not compile also detect a break.
  const fileNames = [...sources, join(root, 'test/mutation/no-way-round.ts')]
  let text = original
  let version = 0
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => (path === file ? `${version}` : '0'),
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => core,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  return (mutant) => {
    text = mutant
    version++
    if (service.getSyntacticDiagnostics(file).length > 0) return true
    return fileNames.some((path) => service.getSemanticDiagnostics(path).length > 0)
  }
}

/** Writes a file of the copy. The files are separate, so that one of them can be replaced. */
function write(path, text) {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: 'es2023',
      module: 'esnext',
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  })
  const place = join(scratch, 'dist', path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, outputText)
}

/** Runs the suite against the copy; returns the first failing test. */
function findFailure(mutant) {
  write(name, mutant)
  const report = join(scratch, 'report.json')
  rmSync(report, { force: true })
  const args = ['run', '--config', 'test/mutation/vitest.config.ts', '--reporter=json', `--outputFile=${report}`]
  const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: 'ignore' })
  if (status === 0) return undefined
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find((test) => test.status === 'failed')
  return failed?.fullName ?? 'the suite does not load'
}

rmSync(scratch, { recursive: true, force: true })
const sources = readdirSync(join(core, 'src'), { recursive: true, encoding: 'utf8' })
for (const path of sources.filter((path) => /(?<!\.d|\.test|\.fixture)\.ts$/.test(path)))
  write(path, readFileSync(join(core, 'src', path), 'utf8'))
writeFileSync(join(scratch, 'package.json'), JSON.stringify({ type: 'module' }))

const breaks = createCompiler()
if (breaks(original)) throw new Error('The core does not compile as it is.')
const without = findFailure(original)
if (without) throw new Error(`The suite fails without a deletion: ${without}`)

const survivors = []
let compiler = 0
let tests = 0
for (const [mutant, label] of toMutants()) {
  if (breaks(mutant)) {
    compiler++
    continue
  }
  const failure = findFailure(mutant)
  if (failure) tests++
  else survivors.push(label)
  console.log(`${failure ? 'noticed ' : 'SURVIVES'}  ${label}${failure ? `\n            by ${failure}` : ''}`)
}
rmSync(scratch, { recursive: true, force: true })
console.log(
  `\n${relative(root, file)}: ${compiler} deletions do not compile, ${tests} turn a test red, ${survivors.length} survive.`,
)
process.exitCode = survivors.length > 0 ? 1 : 0
