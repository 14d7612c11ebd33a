import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Reads the manifests of the published packages.
 *
 * @param {string} root - The root folder of the repository.
 * @returns {readonly { folder: string, path: string, file: Record<string, any> }[]} The packages, sorted by folder
 * name.
 */
export function readPublished(root) {
  return readdirSync(join(root, 'packages'))
    .map((folder) => ({ folder, path: join(root, 'packages', folder) }))
    .filter(({ path }) => existsSync(join(path, 'package.json')))
    .map((entry) => ({ ...entry, file: JSON.parse(readFileSync(join(entry.path, 'package.json'), 'utf8')) }))
    .filter(({ file }) => !file.private)
}

/**
 * Finds problems that prevent packages from being published.
 *
 * @param {ReturnType<typeof readPublished>} packages - All packages that are published together.
 * @returns {readonly string[]} The problems and their fixes, one per line.
 */
export function findFaults(packages) {
  const versions = new Map(packages.map(({ file }) => [file.name, file.version]))
  const [version] = versions.values()
  return packages.flatMap(({ folder, path, file }) => {
    const say = (text) => `${file.name}: ${text}`
    const faults = []
    if (file.version !== version) faults.push(say(`its version is ${file.version}, that of the others ${version}.`))
    if (file.publishConfig?.access !== 'public' || file.publishConfig?.provenance !== true)
      faults.push(say('publishConfig must be { "access": "public", "provenance": true }.'))
    if (file.license !== 'MIT' || !existsSync(join(path, 'LICENSE'))) faults.push(say('the license is missing.'))
    if (file.repository && file.repository.directory !== `packages/${folder}`)
      faults.push(say(`repository.directory must be packages/${folder}.`))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      for (const [name, range] of Object.entries(file[kind] ?? {})) {
        if (!/^[\d^~><=|*. -]+$/.test(range))
          faults.push(say(`${kind} ask for ${name} at ${range}, which no registry has.`))
        if (!name.startsWith('@trestle/')) continue
        if (!versions.has(name)) faults.push(say(`${kind} ask for ${name}, which is not published.`))
        // An optional peer accepts any version: with an exact version, each release of the peer would require a major
        // release of ours.
        else if (range !== versions.get(name) && !(kind === 'peerDependencies' && range === '*'))
          faults.push(say(`${kind} ask for ${name} at ${range}; this release publishes ${versions.get(name)}.`))
      }
    return faults
  })
}

/**
 * Finds what is missing for a real release, beyond what a dry run checks.
 *
 * @param {string} root - The top folder of the repository.
 * @param {ReturnType<typeof readPublished>} packages - All that are published together.
 * @returns {readonly string[]} What is wrong and what to do, a line each.
 */
export function findOmissions(root, packages) {
  const omissions = []
  const waiting = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  if (waiting.length > 0) omissions.push(`${waiting.length} changesets wait: run npm run version, and commit.`)
  const namesOf = (lacking) => lacking.map(({ file }) => file.name).join(', ')
  const homeless = packages.filter(({ file }) => !file.repository?.url)
  if (homeless.length > 0)
    omissions.push(
      `No repository, by which provenance is proved: ${namesOf(homeless)}. Set it in the top package.json, then npm run version.`,
    )
  const linked = packages.filter(({ path }) => /\]\(\.\.\//.test(readFileSync(join(path, 'README.md'), 'utf8')))
  if (linked.length > 0)
    omissions.push(`READMEs with links out of their package: ${namesOf(linked)}. Run npm run version, and commit.`)
  const unreleased = packages.filter(({ path }) =>
    /^## Unreleased$/m.test(readFileSync(join(path, 'CHANGELOG.md'), 'utf8')),
  )
  if (unreleased.length > 0)
    omissions.push(`Unreleased changes: ${namesOf(unreleased)}. Run npm run version, and commit.`)
  return omissions
}
