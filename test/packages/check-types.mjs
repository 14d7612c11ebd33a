import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

// Type-checks the packages installed in a folder without skipLibCheck, once per module resolution, and prints errors as
// JSON: node check-types.mjs FOLDER COMPILER MODULE:ROOT,ROOT ... Excludes the files of TypeScript, Node's types and
// frameworks.

const [, , app, compiler, ...modes] = process.argv
const ts = createRequire(join(app, 'package.json'))(compiler)
const sources = new Map()
const results = {}

for (const mode of modes) {
  const [module, roots] = mode.split(':')
  const options = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind[module],
    moduleResolution: ts.ModuleResolutionKind[module === 'ESNext' ? 'Bundler' : module],
    types: ['node'],
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  }
  const host = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => app
  const { getSourceFile } = host
  // Node16 and NodeNext parse files in the same way, and parsing takes a third of the time.
  host.getSourceFile = (path, how, ...rest) => {
    const key = `${module === 'ESNext'} ${how.impliedNodeFormat} ${path}`
    if (!sources.has(key)) sources.set(key, getSourceFile.call(host, path, how, ...rest))
    return sources.get(key)
  }
  const files = roots.split(',').map((name) => resolve(app, name))
  const program = ts.createProgram(files, options, host)
  const tested = program.getSourceFiles().filter(({ fileName }) => isTested(fileName))
  const wrong = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...tested.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  results[module] = {
    packages: [...new Set(tested.flatMap(({ fileName }) => /@trestle\/[\w-]+/.exec(fileName) ?? []))].sort(),
    wrong: wrong.map(({ file, messageText }) => {
      const place = file?.fileName.split('/node_modules/').pop() ?? ''
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  }
}
process.stdout.write(JSON.stringify(results))

function isTested(path) {
  return path.startsWith(app) && !/\/node_modules\/(typescript[^/]*|@types\/node|undici-types|zod|hono)\//.test(path)
}
