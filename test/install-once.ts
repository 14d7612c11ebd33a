import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { withLock } from './with-lock.ts'

export interface Installation {
  /** Where; kept from one run of the tests to the next. */
  readonly folder: string
  readonly manifest: object
  /** The environment of npm. @default that of the tests */
  readonly env?: NodeJS.ProcessEnv
  /** Whether it is all there. */
  readonly isInstalled: () => boolean
}

/**
 * Installs packages into a folder of their own, once, without running scripts of theirs. Of test files that ask at the
 * same time one installs, and the others wait.
 */
export async function installOnce({ folder, manifest, env, isInstalled }: Installation): Promise<void> {
  await withLock(`${folder}.lock`, async () => {
    if (isInstalled()) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, ...(env && { env }) }
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  })
}
