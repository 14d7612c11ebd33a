import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { toPageLinks } from '../../.scripts/release/page-links.mjs'
import { packages, readJson, root } from '../repository.ts'
import { pack } from './pack.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly repository?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: unknown
}

type Found = { readonly folder: string; readonly path: string; readonly file: Record<string, unknown> }

const { toRelease } = (await import('../../.scripts/release/changelog.mjs' as string)) as {
  toRelease(text: string, version: string): string
}
const { findFaults, findOmissions, readPublished } = (await import(
  '../../.scripts/release/published.mjs' as string
)) as {
  findFaults(packages: readonly Found[]): readonly string[]
  findOmissions(root: string, packages: readonly Found[]): readonly string[]
  readPublished(root: string): readonly Found[]
}

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'trestle-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a dry run of a release packs every package, at one version, with dependency ranges that the release satisfies', async () => {
  const out = join(folder, 'tarballs')
  const script = join(root, '.scripts/release.mjs')
  const { stdout } = await run(process.execPath, [script, '--dry-run', '--no-build', '--out', out], { cwd: root })
  expect(stdout.trim().split('\n').at(-1)).toBe('Nothing was published.')
  const { version } = packages[0]?.file ?? { version: '' }
  const nameOf = (name: string): string => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  expect(readdirSync(out).sort()).toEqual(packages.map(({ file }) => nameOf(file.name)).sort())
  const names = packages.map(({ file }) => file.name)
  for (const name of names) {
    expect(stdout).toMatch(new RegExp(`^${name}@${version}  \\d+ files, \\d+ KiB$`, 'm'))
    const args = ['-xOf', join(out, nameOf(name)), 'package/package.json']
    const packed = JSON.parse(execFileSync('tar', args, { encoding: 'utf8' })) as Manifest
    expect(packed).toMatchObject({
      name,
      version,
      license: 'MIT',
      publishConfig: { access: 'public', provenance: true },
    })
    const own = Object.entries(packed.dependencies ?? {}).filter(([other]) => other.startsWith('@trestle/'))
    expect(own.filter(([other, range]) => !names.includes(other) || range !== version)).toEqual([])
  }
}, 120_000)

describe('the checks before publishing', () => {
  const good = readPublished(root)
  const faultsWith = (change: Record<string, unknown>): readonly string[] =>
    findFaults(good.map((entry, index) => (index === 1 ? { ...entry, file: { ...entry.file, ...change } } : entry)))

  test('find no errors, and the common license in every package', () => {
    expect(findFaults(good)).toEqual([])
    const license = readFileSync(join(root, 'LICENSE'), 'utf8')
    for (const { path } of good) expect(readFileSync(join(path, 'LICENSE'), 'utf8')).toBe(license)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a version of its own', { version: '0.0.9' }, 'its version is 0.0.9'],
    ['no publishConfig', { publishConfig: undefined }, 'publishConfig must be'],
    ['no provenance', { publishConfig: { access: 'public' } }, 'publishConfig must be'],
    ['another license', { license: 'UNLICENSED' }, 'the license is missing'],
    ['a file', { dependencies: { a: 'file:../a' } }, 'at file:../a, which no registry has'],
    ['a workspace', { peerDependencies: { a: 'workspace:*' } }, 'at workspace:*, which no registry has'],
    ['a private package', { dependencies: { '@trestle/docs': '0.0.0' } }, '@trestle/docs, which is not published'],
    ['an older one', { dependencies: { '@trestle/core': '0.0.1' } }, 'this release publishes'],
    ['a range of ours', { dependencies: { '@trestle/core': '^0.1.0' } }, 'this release publishes'],
    ['the wrong folder', { repository: { url: 'x', directory: 'x' } }, 'repository.directory must be packages/'],
  ])('reject %s', (_what, change, fault) => expect(faultsWith(change).join('\n')).toContain(fault))
})

describe('changelogs', () => {
  test('of all packages have the same form: a title, then versions, and no merge conflicts', () => {
    for (const { path } of packages) {
      const text = readFileSync(join(path, 'CHANGELOG.md'), 'utf8')
      expect([path, text.slice(0, 16), text.match(/^## .+$/gm)]).toEqual([
        path,
        '# Changelog\n\n## ',
        expect.arrayContaining([expect.stringMatching(/^## (Unreleased|\d+\.\d+\.\d+)$/)]),
      ])
      expect([path, /^(?:[<>] ?){7}|^={7}$/m.exec(text)]).toEqual([path, null])
    }
  })

  test('move unreleased entries into the new version, below those of changesets', () => {
    const changesetsText = '# Changelog\n\n## 0.2.0\n### Minor Changes\n\n- New.\n\n### Patch Changes\n\n- Corrected.\n'
    const text = `${changesetsText}\n## Unreleased\n\n### Added\n\n- Noted.\n\n## 0.1.0\n\nThe first.\n`
    expect(toRelease(text, '0.2.0')).toBe(
      '# Changelog\n\n## 0.2.0\n\n### Added and changed\n\n- New.\n\n### Fixed\n\n- Corrected.\n\n### Added\n\n- Noted.\n\n## 0.1.0\n\nThe first.\n',
    )
    const own = toRelease('# Changelog\n\n## Unreleased\n\n- A.\n', '0.1.0')
    expect([own, toRelease(own, '0.1.0')]).toEqual(['# Changelog\n\n## 0.1.0\n\n- A.\n', own])
    expect(toRelease('# Changelog\n\n## 0.2.0\n', '0.2.0')).toContain('Only the version number has changed.')
  })
})

test('npm run version sets one version for all packages from the changesets, with changelogs and a repository', async () => {
  const copy = join(folder, 'copy')
  const manifests = ['package.json', 'package-lock.json', ...workspaceFiles()]
  const others = [
    '.changeset',
    'packages/core/src/config/version.ts',
    ...packages.flatMap(({ path }) =>
      ['CHANGELOG.md', 'LICENSE', 'README.md'].map((name) => `${path.slice(root.length)}/${name}`),
    ),
  ]
  for (const path of [...manifests, ...others]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  const changeset = "---\n'@trestle/core': minor\n---\n\nWorkflows may be longer.\n"
  writeFileSync(join(copy, '.changeset/a.md'), changeset)
  const top = readJson(join(copy, 'package.json')) as Manifest
  const url = 'git+https://git.example.com/team/trestle.git'
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...top, repository: { type: 'git', url } }))
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: copy })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  expect(findOmissions(copy, readPublished(copy))[0]).toMatch(/^1 changesets wait/)

  await run(process.execPath, [join(root, '.scripts/version.mjs'), '--root', copy, '--no-lock'])
  const [before = ''] = packages.map(({ file }) => file.version)
  const [major = 0, minor = 0] = before.split('.').map(Number)
  const version = `${major}.${minor + 1}.0`
  const published = readPublished(copy)
  expect([published.length, findFaults(published), findOmissions(copy, published)]).toEqual([packages.length, [], []])
  for (const { folder: name, path, file } of published) {
    const homepage = `https://git.example.com/team/trestle/tree/main/packages/${name}#readme`
    expect(file).toMatchObject({ version, homepage, repository: { type: 'git', url, directory: `packages/${name}` } })
    const text = readFileSync(join(path, 'CHANGELOG.md'), 'utf8')
    expect(text.startsWith(`# Changelog\n\n## ${version}\n\n`)).toBe(true)
    expect(linksOf(readFileSync(join(path, 'README.md'), 'utf8')).filter((link) => link.startsWith('../'))).toEqual([])
    expect(text.includes('- Workflows may be longer.')).toBe(name === 'core')
  }
  expect(readFileSync(join(copy, 'packages/core/src/config/version.ts'), 'utf8')).toContain(`'${version}'`)
  for (const path of manifests.slice(2)) {
    const { dependencies = {} } = readJson(join(copy, path)) as Manifest
    const own = Object.entries(dependencies).filter(([name]) => published.some(({ file }) => file['name'] === name))
    expect(own.filter(([, range]) => range !== version)).toEqual([])
  }
}, 120_000)

test('a release rewrites links in READMEs to the repository, unless the package contains the file', async () => {
  const page = 'https://git.example.com/team/trestle'
  const tarballs = await pack(packages, folder)
  const links = packages.flatMap(({ folder: name, path, file }) =>
    linksOf(toPageLinks(readFileSync(join(path, 'README.md'), 'utf8'), `packages/${name}`, page)).map((link) => {
      const target = link.replace(/#.*/, '')
      const isInRepository =
        target.startsWith(`${page}/blob/main/`) && existsSync(join(root, target.slice(`${page}/blob/main/`.length)))
      const isPacked = tarballs.get(file.name)?.files.includes(target.replace(/^\.\//, '')) ?? false
      return { link: `${name}: ${link}`, isFound: isInRepository || isPacked }
    }),
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(({ isFound }) => !isFound)).toEqual([])
}, 120_000)

/** The links of a page, except to its own headings and to other sites. */
const linksOf = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(((?!#|https?:\/\/(?!git\.example\.com))[^)\s]+)\)/g)].map(([, link = '']) => link)

/** The `package.json` of each workspace, by its path. */
function workspaceFiles(): readonly string[] {
  const places = ['packages', 'examples'].flatMap((place) =>
    readdirSync(join(root, place)).map((name) => `${place}/${name}`),
  )
  return [...places, 'test'].map((place) => `${place}/package.json`).filter((path) => existsSync(join(root, path)))
}
