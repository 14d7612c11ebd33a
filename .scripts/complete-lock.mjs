import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './prepare.mjs'

// npm run lock, after changing dependencies: adds the packages for other platforms to package-lock.json, which npm
// leaves out if it cannot install them here. Without them, `npm ci` rejects the file on those platforms; without their
// hashes, which come from the registry, it would install them unverified.

const path = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))
let added = 0
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const lockedPackage = find(place, name)
    // Platform packages have exact versions; npm resolves all others.
    const isExact = /^\d/.test(version)
    if (lockedPackage && (!isExact || lockedPackage.version === version)) continue
    if (!isExact) throw new Error(`${place} wants ${name} ${version}, which only npm can resolve.`)
    lock.packages[`${lockedPackage ? `${place}/` : ''}node_modules/${name}`] = {
      version,
      ...toPlatform(name),
      ...(dev && { dev }),
      optional: true,
    }
    added++
  }
}
const run = promisify(execFile)
for (const [key, entry] of Object.entries(lock.packages)) {
  if (!key.includes('node_modules/') || entry.link || entry.inBundle || entry.integrity) continue
  const name = entry.name ?? key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { stdout } = await run('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], { cwd: root })
  const integrity = stdout.trim()
  if (!/^sha512-[\w+/]{86}==$/.test(integrity))
    throw new Error(`The registry has no sha512 of ${name}@${entry.version}.`)
  lock.packages[key] = { version: entry.version, integrity, ...entry }
}
const [own, ...others] = Object.keys(lock.packages)
lock.packages = Object.fromEntries(
  [own, ...others.sort((a, b) => a.localeCompare(b, 'en'))].map((key) => [key, lock.packages[key]]),
)
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added} packages of other platforms added.\n`)

/** Returns the package that a name resolves to, in a package's own folder or in one above it. */
function find(place, name) {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const lockedPackage = lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]
    if (lockedPackage || at === '') return lockedPackage
  }
}

/** Returns the platform that a package name contains. */
function toPlatform(name) {
  const parts = name.split('/').at(-1).split('-')
  if (parts.includes('wasm32')) return { cpu: ['wasm32'] }
  const systems = {
    windows: 'win32',
    win32: 'win32',
    darwin: 'darwin',
    linux: 'linux',
    android: 'android',
    freebsd: 'freebsd',
    netbsd: 'netbsd',
    openbsd: 'openbsd',
    sunos: 'sunos',
    aix: 'aix',
    openharmony: 'openharmony',
  }
  const processors = {
    64: 'x64',
    x64: 'x64',
    arm64: 'arm64',
    aarch64: 'arm64',
    arm: 'arm',
    ia32: 'ia32',
    loong64: 'loong64',
    mips64el: 'mips64el',
    ppc64: 'ppc64',
    riscv64: 'riscv64',
    s390x: 's390x',
  }
  const os = parts.map((part) => systems[part]).find(Boolean)
  const cpu = parts.map((part) => processors[part]).find(Boolean)
  if (!os || !cpu) throw new Error(`The name ${name} says no platform.`)
  const libc = parts.some((part) => part.startsWith('musl'))
    ? ['musl']
    : parts.some((part) => part.startsWith('gnu'))
      ? ['glibc']
      : undefined
  return { cpu: [cpu], ...(os === 'linux' && libc && { libc }), os: [os] }
}
