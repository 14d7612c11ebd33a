import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// Copies what the service needs at run time into a folder: the built packages and their locked dependencies, without
// types, source maps and tests. The service must have been built.

const root = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))))
const target = resolve(process.argv[2] ?? 'image')
const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folder of a dependency, as Node finds it. */
function find(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  }
  return undefined
}

/** Returns the location of a package in the tree: own packages are folders there, not links. */
function placeOf(folder) {
  const [first, name, ...rest] = relative(root, folder).split(sep)
  if (first === 'node_modules') return join(target, relative(root, folder))
  return join(target, 'node_modules', readManifest(join(root, first, name)).name, ...rest)
}

/** Returns whether a package's binaries match the platform; npm installs the libsql binaries for both C libraries. */
const fits = ({ os, cpu, neon }) =>
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true) &&
  neon?.abi !== (isGlibc ? 'musl' : 'gnu')

function* dependenciesOf(folder, manifest) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const isOptional = Object.hasOwn(optionalDependencies, name) || peerDependenciesMeta[name]?.optional === true
    const dependencyFolder = find(name, folder)
    if (dependencyFolder === undefined && !isOptional)
      throw new Error(`${name}, a dependency of ${folder}, is not installed.`)
    if (dependencyFolder !== undefined && fits(readManifest(dependencyFolder))) yield dependencyFolder
  }
}

/** Top-level folders of packages that code does not load. */
const unneeded = ['node_modules', 'test', 'tests', 'benchmark', 'benchmarks', 'docs', 'examples']

const isNeeded = (path, folder) =>
  !/\.([cm]?ts|map|markdown|md)$/i.test(path) &&
  !/\.test\.[cm]?js$/.test(path) &&
  !unneeded.some((name) => path === join(folder, name))

function copy(folder, manifest) {
  const place = placeOf(folder)
  mkdirSync(place, { recursive: true })
  // Workspace packages also contain sources, tests and build files, so only the published files are copied.
  const isOwn = !relative(root, folder).split(sep).includes('node_modules')
  const names = isOwn ? ['package.json', ...manifest.files.filter((name) => !name.includes('.'))] : ['.']
  for (const name of names)
    cpSync(join(folder, name), join(place, name), {
      recursive: true,
      dereference: true,
      filter: (path) => path === folder || isNeeded(path, folder),
    })
}

const seen = new Set()
const pending = [join(root, 'packages/service')]
for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
  if (seen.has(folder)) continue
  seen.add(folder)
  const manifest = readManifest(folder)
  copy(folder, manifest)
  pending.push(...dependenciesOf(folder, manifest))
}
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
cpSync(join(root, 'deploy/health-check.mjs'), join(target, 'health-check.mjs'))
process.stdout.write(`${seen.size} packages in ${target}\n`)
