import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabaseFolder, removeAbandonedFolders } from './database-folder.ts'

/** The socket at which tests request a PostgreSQL. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a socket. A client receives the path of the cluster's socket folder, or an empty line. */
    postgresDoor: string
  }
}

interface Cluster {
  readonly folder: string
  readonly server: ChildProcess
}

const user = 'postgres'

/**
 * Starts one temporary PostgreSQL for all tests when the first of them requests it, and removes it after the last. The
 * server listens on a socket in its own folder and on no port.
 */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-door-'))
  const path = join(folder, 'door')
  let cluster: Promise<Cluster | undefined> | undefined
  const door = createServer((socket) => {
    cluster ??= startCluster()
    cluster.then(
      (runningCluster) => socket.end(`${runningCluster?.folder ?? ''}\n`),
      (error: unknown) => socket.end(`!${error instanceof Error ? error.message : error}\n`),
    )
    socket.on('error', () => undefined)
  })
  door.listen(path)
  project.provide('postgresDoor', path)
  return async () => {
    door.close()
    const runningCluster = await cluster?.catch(() => undefined)
    if (runningCluster) await stopCluster(runningCluster)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startCluster(): Promise<Cluster | undefined> {
  const bin = findBinaries()
  if (!bin) return undefined
  removeAbandonedFolders('trestle-pg')
  const folder = createDatabaseFolder('trestle-pg')
  const root = process.getuid?.() === 0
  if (root) {
    const id = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
    chownSync(folder, id('-u'), id('-g'))
  }
  const data = join(folder, 'data')
  const [command, args] = asServerUser(root, join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    user,
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
  ])
  const initResult = spawnSync(command, args, { encoding: 'utf8', cwd: folder })
  if (initResult.status !== 0) throw new Error(`initdb failed: ${initResult.stderr || initResult.error}`)
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    'max_connections=300',
    'listen_addresses=',
    'shared_buffers=64MB',
  ]
  const [program, flags] = asServerUser(root, join(bin, 'postgres'), [
    '-D',
    data,
    '-k',
    folder,
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  const server = spawn(program, flags, { stdio: 'ignore', cwd: folder })
  for (let tries = 0; !isReady(data); tries++) {
    if (tries > 600 || server.exitCode !== null) throw new Error('PostgreSQL did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { folder, server }
}

/** The server writes its progress to a file. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid')
  return existsSync(file) && /^ready\s*$/m.test(readFileSync(file, 'utf8'))
}

async function stopCluster({ folder, server }: Cluster): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())])
  rmSync(folder, { recursive: true, force: true })
}

/** PostgreSQL refuses to run as root. */
function asServerUser(root: boolean, command: string, args: string[]): [string, string[]] {
  if (!root) return [command, args]
  return ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', command, ...args]]
}

function findBinaries(): string | undefined {
  const home = '/usr/lib/postgresql'
  const versions = existsSync(home)
    ? readdirSync(home)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  return versions
    .sort((a, b) => b - a)
    .map((version) => join(home, String(version), 'bin'))
    .find((path) => existsSync(join(path, 'initdb')))
}
