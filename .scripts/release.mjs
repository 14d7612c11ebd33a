import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { prepare, root, run } from './prepare.mjs'
import { findFaults, findOmissions, readPublished } from './release/published.mjs'

// npm run release: builds and packs every package, and publishes those whose version is new. With `-- --dry-run` nothing
// is published; `--out DIR` keeps the tarballs, `--no-build` uses the existing build.

const isDry = process.argv.includes('--dry-run')
const at = process.argv.indexOf('--out')
const temporary = at < 0 ? mkdtempSync(join(tmpdir(), 'trestle-release-')) : undefined
const out = temporary ?? resolve(process.argv[at + 1] ?? '')

function pack(packages) {
  mkdirSync(out, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out, ...packages.map(({ path }) => path)]
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  // npm 10 prints a list, npm 11 an object by name.
  return Object.values(JSON.parse(stdout))
}

function release() {
  const packages = readPublished(root)
  const faults = [...findFaults(packages), ...(isDry ? [] : findOmissions(root, packages))]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  if (faults.length > 0) return false
  if (!process.argv.includes('--no-build') && !prepare()) return false
  for (const { name, version, files, size } of pack(packages))
    process.stdout.write(`${name}@${version}  ${files.length} files, ${Math.ceil(size / 1024)} KiB\n`)
  if (!isDry) return run(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'publish'])
  for (const omission of findOmissions(root, packages)) process.stdout.write(`Before a release: ${omission}\n`)
  process.stdout.write('Nothing was published.\n')
  return true
}

try {
  process.exitCode = release() ? 0 : 1
} finally {
  if (temporary) rmSync(temporary, { recursive: true, force: true })
}
