import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerOption } from './compiler-option.ts'

/**
 * Returns the settings to change so that TypeScript finds the packages' types: its oldest module resolution ignores
 * their `exports`.
 *
 * @returns `undefined` if nothing has to change.
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
