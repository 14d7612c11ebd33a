import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../terminal/command-error.ts'
import type { InitPlan } from './plan.ts'

/**
 * Writes the files of a plan. Never overwrites an existing file with a new one.
 *
 * @throws {CommandError} A file was created after the plan was made.
 */
export function applyPlan(folder: string, { files }: InitPlan): void {
  const inTheWay = files.filter(
    ({ path, isChange }) => !isChange && path !== '.gitignore' && existsSync(join(folder, path)),
  )
  if (inTheWay.length > 0)
    throw new CommandError(`${inTheWay.map(({ path }) => path).join(', ')} already exists.`, {
      fix: 'Move it, or mount the bridge by hand.',
    })
  for (const { path, text } of files) {
    if (path === '.gitignore' && existsSync(join(folder, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
