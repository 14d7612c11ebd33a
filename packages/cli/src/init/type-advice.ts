import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerOption } from './compiler-option.ts'

/**
 * Returns what has to be changed for TypeScript to find the types of packages: under its oldest way of finding modules it does not
 * look at their `exports`.
 *
 * @returns `undefined` where nothing has.
 */
export function toTypeAdvice(folder: string): string | undefined {
  const resolution = compilerOption(folder, 'moduleResolution')?.toLowerCase()
  const isCommonJs = compilerOption(folder, 'module')?.toLowerCase() === 'commonjs'
  const isOld = resolution === undefined ? isCommonJs && typescriptMajor(folder) < 6 : /^node(?:10)?$/.test(resolution)
  if (!isOld) return undefined
  return 'TypeScript cannot find the types of @trestle/core with these settings: in tsconfig.json set "module" to "nodenext", and also "moduleResolution" if it is set.'
}

function typescriptMajor(folder: string): number {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  return Number(/"typescript"\s*:\s*"[^"\d]*(\d+)/.exec(text)?.[1] ?? 6)
}
