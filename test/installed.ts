import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'

/** A dependency of a test that npm does not provide. */
export interface Installed {
  /** Possible locations, best first. */
  readonly places: readonly (string | undefined)[]
  /** What is missing and how to install it. */
  readonly advice: string
}

/** Finds a dependency that npm does not provide. If it is missing, the test fails in CI, and is skipped elsewhere. */
export function findInstalled(context: TestContext, { places, advice }: Installed): string {
  const installedPath = places.find((path) => path && existsSync(path))
  if (installedPath !== undefined) return installedPath
  if (isCi()) throw new Error(advice)
  // The reporter does not print why a test is skipped.
  process.stderr.write(`${context.task.name}: skipped. ${advice}\n`)
  return context.skip(advice)
}

function isCi(): boolean {
  const value = process.env['CI']
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
