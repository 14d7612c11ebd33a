import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dailyBreaks } from './daily-breaks.mjs'
import { securityBreaks } from './security-breaks.mjs'

// Breaks a copy of the repository on purpose, in one area after another, and checks that the daily tests of that area
// fail. Run after a build: node test/mutation/run-breaks.mjs daily|security [area]

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'trestle-breaks-'))
const left = new Set(['node_modules', '.git', '.turbo', '.next', '.next-webpack', 'pictures'])
const { TEST_SCOPE: _, ...env } = process.env
const [table, wanted = ''] = process.argv.slice(2)
const breaks = { daily: dailyBreaks, security: securityBreaks }[table]
if (!breaks) throw new Error('Name a table of breaks: daily or security.')
const chosen = breaks.filter(({ area }) => area.includes(wanted))

/** Copies everything except installed packages, which are linked; packages of this repository come from the copy. */
function copyRepository() {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) })
  for (const folder of ['', 'test', ...foldersOf('packages'), ...foldersOf('examples')])
    linkModules(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
}

function foldersOf(parent) {
  return readdirSync(join(root, parent)).map((name) => join(parent, name))
}

function linkModules(from, to) {
  let names
  try {
    names = readdirSync(from)
  } catch {
    return
  }
  mkdirSync(to, { recursive: true })
  for (const name of names.filter((one) => one !== '.cache')) {
    if (name !== '@trestle') symlinkSync(join(from, name), join(to, name))
    else {
      mkdirSync(join(to, name))
      for (const own of readdirSync(join(from, name)))
        symlinkSync(join('..', '..', readFolder(own)), join(to, name, own))
    }
  }
}

/** The folder of a workspace, by the second half of its name. */
function readFolder(name) {
  if (name === 'test') return 'test'
  return name.startsWith('example-') ? join('examples', name.slice('example-'.length)) : join('packages', name)
}

function build(folder) {
  const npm = spawnSync('npm', ['run', 'build'], { cwd: join(copy, 'packages', folder), env, encoding: 'utf8' })
  if (npm.status !== 0) throw new Error(`${folder} cannot be built:\n${npm.stdout}${npm.stderr}`)
}

/** Runs tests and returns the names of those that fail. */
function findFailures(tests) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const args = ['run', '--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${report}`, ...tests]
  const run = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    env,
    encoding: 'utf8',
  })
  if (run.status === 0) return []
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults
  const failed = results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed')
  // A file that cannot be loaded proves nothing about its tests.
  if (failed.length === 0) throw new Error(`The tests did not run:\n${run.stdout}${run.stderr}`)
  return failed.map(({ fullName }) => fullName)
}

/** Breaks a file, runs the tests, and restores everything. */
function tryBreak({ file, find, replace, packages = [], tests }) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2) throw new Error(`${file} does not contain this exactly once: ${find}`)
  const dists = packages.map((folder) => join(copy, 'packages', folder, 'dist'))
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  try {
    for (const folder of packages) build(folder)
    return findFailures(tests)
  } finally {
    writeFileSync(path, text)
    for (const dist of dists) {
      rmSync(dist, { recursive: true, force: true })
      cpSync(dist.replace(copy + sep, root), dist, { recursive: true })
    }
  }
}

try {
  copyRepository()
  // A test that fails without a break proves nothing.
  const without = findFailures([...new Set(chosen.flatMap(({ tests }) => tests))])
  for (const name of without) process.stdout.write(`ignored   ${name}, which fails without a break\n`)
  let survived = 0
  for (const one of chosen) {
    const failure = tryBreak(one).find((name) => !without.includes(name))
    if (!failure) survived++
    process.stdout.write(`${failure ? 'noticed ' : 'SURVIVES'}  ${one.area}: ${one.file}\n`)
    if (failure) process.stdout.write(`          by ${failure}\n`)
  }
  process.stdout.write(`\n${chosen.length - survived} of ${chosen.length} deliberate breaks turn a daily test red.\n`)
  process.exitCode = survived > 0 ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}
