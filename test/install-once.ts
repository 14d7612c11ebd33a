import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { withLock } from './with-lock.ts'

export interface Installation {
  /** The folder; it is kept between test runs. */
  readonly folder: string
  readonly manifest: object
  /** The environment of npm. @default the environment of the tests */
  readonly env?: NodeJS.ProcessEnv
  /** Returns whether everything is installed. */
  readonly isInstalled: () => boolean
}

/**
 * Installs packages into a separate folder, once, without running their scripts. If several test files need it at the
 * same time, one installs, and the others wait.
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
