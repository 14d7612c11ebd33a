import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const staleMs = 600_000

/** What is installed. */
export interface Installation {
  /** Where; kept from one run of the tests to the next. */
  readonly folder: string
  /** The `package.json`. */
  readonly manifest: object
  /** The environment of npm. @default that of the tests */
  readonly env?: NodeJS.ProcessEnv
  /** Whether it is all there. */
  readonly isInstalled: () => boolean
}

/**
 * Installs packages into a folder of their own, once, without running scripts of theirs. Of test files that ask at the
 * same time one installs, and the others wait.
 *
 * @param installation - What.
 */
export async function installOnce({ folder, manifest, env, isInstalled }: Installation): Promise<void> {
  const lock = `${folder}.lock`
  while (!tryLock(lock)) await sleep(200)
  try {
    if (isInstalled()) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, ...(env && { env }) }
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** A folder can be made once only; one that was left behind by a run that was killed is taken over. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const made = statSync(lock, { throwIfNoEntry: false })
    if (made && Date.now() - made.mtimeMs > staleMs) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
