import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root as own, run } from './prepare.mjs'
import { toRelease } from './release/changelog.mjs'
import { toPage, toPageLinks } from './release/page-links.mjs'
import { readPublished } from './release/published.mjs'

// npm run version: turns pending changesets into a version of all packages, with changelogs. Without changesets, it
// lists the unreleased entries under the current version. `--root DIR` works in another copy, `--no-lock` leaves the
// lock file unchanged.

const at = process.argv.indexOf('--root')
const root = at < 0 ? own : process.argv[at + 1]
const waiting = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
const cli = join(own, 'node_modules/@changesets/cli/bin.js')
if (waiting.length > 0 && !run(process.execPath, [cli, 'version'], { cwd: root, quiet: true })) process.exit(1)

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const url = typeof repository === 'string' ? repository : repository?.url
for (const { folder, path, file } of readPublished(root)) {
  const changelog = join(path, 'CHANGELOG.md')
  writeFileSync(
    changelog,
    toRelease(existsSync(changelog) ? readFileSync(changelog, 'utf8') : '# Changelog\n', file.version),
  )
  if (url) {
    file.repository = { type: 'git', url, directory: `packages/${folder}` }
    file.homepage = `${toPage(url)}/tree/main/packages/${folder}#readme`
    writeFileSync(join(path, 'package.json'), `${JSON.stringify(file, undefined, 2)}\n`)
    const readme = join(path, 'README.md')
    writeFileSync(readme, toPageLinks(readFileSync(readme, 'utf8'), `packages/${folder}`, toPage(url)))
  }
  if (folder !== 'core') continue
  const source = join(path, 'src/config/version.ts')
  writeFileSync(source, readFileSync(source, 'utf8').replace(/(frameworkVersion = ')[^']+/, `$1${file.version}`))
  process.stdout.write(`All packages are ${file.version}. Look at their changelogs, then commit.\n`)
}

if (!process.argv.includes('--no-lock'))
  process.exitCode =
    run('npm', ['install', '--package-lock-only', '--ignore-scripts'], { quiet: true }) && run('npm', ['run', 'lock'])
      ? 0
      : 1
