import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'

/** Something a test needs that npm does not bring. */
export interface Installed {
  /** Where it may be, best first. */
  readonly places: readonly (string | undefined)[]
  /** What is missing, and how to get it. */
  readonly advice: string
}

/** Finds something that npm does not bring. Without it the test fails where CI is set, and is skipped elsewhere. */
export function findInstalled(context: TestContext, { places, advice }: Installed): string {
  const found = places.find((path) => path && existsSync(path))
  if (found !== undefined) return found
  if (isCi()) throw new Error(advice)
  // The reporter keeps the reason of a skip to itself.
  process.stderr.write(`${context.task.name}: skipped. ${advice}\n`)
  return context.skip(advice)
}

function isCi(): boolean {
  const value = process.env['CI']
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
