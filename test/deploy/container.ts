import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../repository.ts'
import { findInstruction, reachesBuild, readStages, readVariables, type Stage } from './dockerfile.ts'

// Simulates a container runtime for the Dockerfile with mount namespaces and chroot. The base images are not available:
// the build runs on this machine's system, and the result runs on Node and its libraries only.

/** A root folder for commands. */
export interface Image {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
}

/** Whether this machine can run commands in a root folder. */
export const canContain = existsSync('/usr/bin/dpkg-query') && process.getuid?.() === 0

/** Runs the instructions of the build stage in a root folder that contains this machine's programs. */
export function runBuildStage(folder: string): void {
  const [stage] = readStages()
  if (stage?.name !== 'build') throw new Error('The first stage is not the build.')
  const system = ['usr', 'bin', 'lib', 'lib64', 'sbin', 'etc', 'root', 'dev', 'proc', 'tmp']
  for (const name of system) mirror(name, folder)
  let workingFolder = '/'
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') {
      workingFolder = text
      mkdirSync(join(folder, text), { recursive: true })
    } else if (name === 'COPY') copySources(join(folder, workingFolder))
    else if (name === 'RUN') {
      const binds = system.filter((one) => lstatSync(`/${one}`).isDirectory() && one !== 'tmp')
      const mounts = binds.map((one) => `mount --rbind /${one} ${folder}/${one}`)
      const command = `cd ${workingFolder} && ${text}`
      const script = `set -e; ${mounts.join('; ')}; exec chroot ${folder} /bin/sh -c "$0"`
      const { NODE_ENV: _mode, VITEST: _runner, ...own } = process.env
      const env = { ...own, ...readVariables(stage) } as NodeJS.ProcessEnv
      const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, command], {
        env,
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`RUN ${text}: ${status}\n${stdout}\n${stderr}`)
    } else if (name !== 'ENV') throw new Error(`The test does not know how to do ${name}.`)
  }
}

function mirror(name: string, folder: string): void {
  const place = join(folder, name)
  if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), place)
  else mkdirSync(place)
}

function copySources(target: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0').filter((one) => one !== '' && reachesBuild(one)))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(target, path))
}

/** Fills an empty folder according to the last stage: Node with its libraries, and the files copied from the build. */
export function fillImage(folder: string, build: string): Image {
  const stage = readStages().at(-1) as Stage
  const node = join(folder, '/nodejs/bin/node')
  mkdirSync(dirname(node), { recursive: true })
  cpSync(process.execPath, node)
  // The base image already has these packages, from the same Debian release.
  const listed = execFileSync('dpkg-query', ['--listfiles', 'libc6', 'libgcc-s1', 'libstdc++6'], { encoding: 'utf8' })
  for (const library of listed.split('\n').filter((path) => /\.so[.\d]*$/.test(path))) {
    mkdirSync(join(folder, dirname(library)), { recursive: true })
    cpSync(library, join(folder, library), { dereference: true })
  }
  for (const name of ['dev', 'proc', 'tmp', 'etc']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
  for (const device of ['null', 'urandom']) writeFileSync(join(folder, 'dev', device), '')
  for (const { name, text, flags } of stage.instructions) {
    if (name !== 'COPY') continue
    const [from = '', to = ''] = text.split(' ')
    cpSync(join(build, from), join(folder, to), { recursive: true })
    const [user, group] = (flags['chown'] ?? '').split(':').map(Number)
    if (user !== undefined && group !== undefined && user > 0) chownSync(join(folder, to), user, group)
  }
  return { folder, env: readVariables(stage), user: findInstruction(stage, 'USER').text }
}

/** Options for running a command in an image. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
}

export interface Running {
  readonly child: ChildProcess
  /** The output so far, of both streams. */
  output(): string
  /** The process id outside the container. */
  pid(): number
}

/** Runs a command as the user of the image, as process 1, on a read-only root with a writable `/data` and `/tmp`. */
export function runInImage(
  { folder, env, user }: Image,
  command: readonly string[],
  options: RunOptions = {},
): Running {
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    `mount --bind ${folder}/data ${folder}/data`,
    `mount -t tmpfs -o mode=1777 tmpfs ${folder}/tmp`,
    `mount -t proc proc ${folder}/proc`,
    ...['null', 'urandom'].map((device) => `mount --bind /dev/${device} ${folder}/dev/${device}`),
    `mount -o remount,bind,ro ${folder}`,
  ]
  const script = `set -e; ${mounts.join('; ')}; cd ${folder}; exec /usr/sbin/chroot --userspec=${user} ${folder} "$@"`
  const child: ChildProcess = spawn(
    '/usr/bin/unshare',
    ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', script, 'sh', ...command],
    {
      env: { ...env, ...options.env } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  const note = (chunk: Buffer): void => {
    output += chunk
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', note)
  return {
    child,
    output: () => output,
    pid: () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()),
  }
}

/** Waits until a command ends, and returns its exit status. */
export async function statusOf({ child }: Running): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const [status] = await once(child, 'exit')
  return status
}
