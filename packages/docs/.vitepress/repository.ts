import { readFileSync } from 'node:fs'
import { toPage } from '../../../.scripts/release/page-links.mjs'

const file = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const url: string | undefined = typeof file.repository === 'string' ? file.repository : file.repository?.url

/**
 * The repository page from the root `package.json`, for links to files and for edit links. Without one, files are shown
 * without a link.
 */
export const repositoryPage = url && toPage(url)
