// What a changeset adds to the changelog of its package: its own words, without a commit's number. All packages have
// one version, so that their dependencies on each other need no line.
module.exports = {
  getReleaseLine: async ({ summary }) => {
    const [first, ...rest] = summary.trim().split('\n')
    return [`- ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))].join('\n')
  },
  getDependencyReleaseLine: async () => '',
}
