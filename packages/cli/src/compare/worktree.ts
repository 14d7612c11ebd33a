import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../terminal/command-error.ts'

const run = promisify(execFile)

/** A version of an app in a temporary folder. */
export interface Worktree {
  /** The folder of the app. */
  readonly folder: string
  readonly commit: string
  remove(): Promise<void>
}

/**
 * Checks out a version of the repository into a temporary folder. Installed packages and files with variables, which
 * git ignores, are linked from the working copy.
 *
 * @param cwd - The folder of the app, within the repository.
 * @param ref - A branch, tag or commit.
 * @throws {CommandError} The folder is not in a repository, or the version or its folder does not exist.
 */
export async function createWorktree(cwd: string, ref: string): Promise<Worktree> {
  const top = realpathSync(await git(cwd, ['rev-parse', '--show-toplevel']))
  const commit = await git(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]).catch(
    () => {
      throw new CommandError(`${JSON.stringify(ref)} is not a branch, tag or commit of this repository.`, {
        fix: 'In CI, fetch it first: git fetch origin main.',
      })
    },
  )
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-compare-')))
  const root = join(parent, 'app')
  const remove = async (): Promise<void> => {
    await git(top, ['worktree', 'remove', '--force', root]).catch(() => undefined)
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    await git(top, ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', root, commit])
    const path = relative(top, realpathSync(cwd))
    const folder = join(root, path)
    if (!existsSync(folder)) throw new CommandError(`The folder ${path} does not exist in ${ref}.`)
    linkIgnored(top, root, path)
    return { folder, commit, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Links packages and variables in the folder of the app, and in each folder above it. */
function linkIgnored(top: string, root: string, path: string): void {
  for (let at = path; ; at = dirname(at)) {
    const isWanted = (name: string): boolean => name === 'node_modules' || name === '.env' || name.startsWith('.env.')
    for (const name of readdirSync(join(top, at)).filter(isWanted))
      if (!existsSync(join(root, at, name))) symlinkSync(join(top, at, name), join(root, at, name))
    if (at === '' || at === '.') return
  }
}

async function git(cwd: string, argv: readonly string[]): Promise<string> {
  try {
    return (await run('git', [...argv], { cwd })).stdout.trim()
  } catch (cause) {
    const { stderr = '' } = cause as { readonly stderr?: string }
    throw new CommandError(`git ${argv[0]} failed: ${stderr.trim() || String(cause)}`, { cause })
  }
}
