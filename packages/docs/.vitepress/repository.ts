import { readFileSync } from 'node:fs'

const file = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const url: string | undefined = typeof file.repository === 'string' ? file.repository : file.repository?.url

/**
 * The page of the repository, for links to files and for edit links: that of the top `package.json`. Without one, files
 * are shown without a link.
 */
export const repositoryPage = url
  ?.replace(/^git\+/, '')
  .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
  .replace(/\.git$/, '')
