import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const user = 'postgres'

/**
 * Starts a separate PostgreSQL with default settings for a measurement; returns undefined if PostgreSQL is not
 * installed.
 */
export async function startCluster() {
  const bin = findBinaries()
  if (!bin) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'trestle-bench-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const data = join(folder, 'data')
  const asServer = (command, args) =>
    isRoot ? ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', command, ...args]] : [command, args]
  const initResult = spawnSync(
    ...asServer(join(bin, 'initdb'), ['-D', data, '-U', user, '-A', 'trust', '-N', '-E', 'UTF8']),
    {
      encoding: 'utf8',
      cwd: folder,
    },
  )
  if (initResult.status !== 0) throw new Error(`initdb failed: ${initResult.stderr}`)
  const settings = ['max_connections=100', 'listen_addresses=', 'shared_buffers=128MB']
  const flags = ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(...asServer(join(bin, 'postgres'), flags), { stdio: 'ignore', cwd: folder })
  const pidFile = join(data, 'postmaster.pid')
  while (!existsSync(pidFile) || !/^ready\s*$/m.test(readFileSync(pidFile, 'utf8'))) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start.')
    await pause(50)
  }
  const urlOf = (database) => `postgres://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`
  return {
    pid: String(server.pid),
    url: urlOf('postgres'),
    /** Creates another database, and returns its URL. */
    createDatabase(name) {
      const { status, stderr } = spawnSync(join(bin, 'createdb'), ['-h', folder, '-U', user, name], {
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`createdb failed: ${stderr}`)
      return urlOf(name)
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await Promise.race([ended, pause(5000, undefined, { ref: false })])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function idOf(flag) {
  return Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
}

function findBinaries() {
  const home = '/usr/lib/postgresql'
  const versions = existsSync(home) ? readdirSync(home).map(Number) : []
  return versions
    .filter((version) => version >= 15)
    .sort((left, right) => right - left)
    .map((version) => join(home, String(version), 'bin'))
    .find((path) => existsSync(join(path, 'initdb')))
}
