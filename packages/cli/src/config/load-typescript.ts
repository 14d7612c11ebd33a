import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface Compiler {
  readonly transpileModule?: (source: string, options: object) => { readonly outputText: string }
}

/**
 * Imports a TypeScript file: natively if the runtime supports it, otherwise with the compiler of the app.
 *
 * @throws Error - Neither can load it.
 */
export async function loadTypeScript(path: string): Promise<unknown> {
  const { features } = process as { features?: { typescript?: unknown } }
  if (features?.typescript) return importDefault(path)
  const compiler = findCompiler(path)
  if (!compiler?.transpileModule)
    throw new Error('this version of Node does not run TypeScript. Install typescript 5 or 6, or use .mjs')
  const { outputText } = compiler.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: { module: 99, target: 99 },
  })
  // The copy must be next to the original, so that its imports resolve.
  const copy = `${path.slice(0, -'.ts'.length)}.${process.pid}.tmp.mjs`
  writeFileSync(copy, outputText)
  try {
    return await importDefault(copy)
  } finally {
    rmSync(copy, { force: true })
  }
}

async function importDefault(path: string): Promise<unknown> {
  return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
}

function findCompiler(path: string): Compiler | undefined {
  try {
    return createRequire(path)('typescript') as Compiler
  } catch {
    return undefined
  }
}
