/** The headings used by changesets, with the corresponding headings of the changelogs. */
const headings = { 'Major Changes': 'Breaking', 'Minor Changes': 'Added and changed', 'Patch Changes': 'Fixed' }

/**
 * Writes a package's changelog for a version, from the entries that changesets added and those under "Unreleased".
 *
 * @param {string} text - The changelog, as changesets left it.
 * @returns {string} The changelog with one section for the version, newest first, and without an unreleased section.
 */
export function toRelease(text, version) {
  const [title = '', ...sections] = text.split(/^## /m)
  const bodyOf = (heading) =>
    sections
      .find((section) => section.split('\n', 1)[0] === heading)
      ?.slice(heading.length)
      .trim() ?? ''
  const versionBody = bodyOf(version).replace(/^### (.+)\n+/gm, (line, name) =>
    name in headings ? `### ${headings[name]}\n\n` : line,
  )
  const body = [versionBody, bodyOf('Unreleased')].filter((part) => part !== '').join('\n\n')
  const older = sections.filter((section) => ![version, 'Unreleased'].includes(section.split('\n', 1)[0]))
  const newest = `${version}\n\n${body === '' ? 'Only the version number has changed.' : body}`
  return `${[title.trim(), newest, ...older.map((section) => section.trim())].join('\n\n## ')}\n`
}
