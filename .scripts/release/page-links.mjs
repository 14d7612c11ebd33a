import { posix } from 'node:path'

/**
 * Returns the web page of a repository, from its address in any form that npm accepts.
 *
 * @param {string} url - The address, such as `git+https://git.example.com/team/app.git`.
 */
export function toPage(url) {
  return url
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/\.git$/, '')
}

/**
 * Returns a README in which links to files outside the package are replaced with links to the repository's page. The
 * published package does not contain those files.
 *
 * @param {string} text - The Markdown of the README.
 * @param {string} folder - The folder of the package, from the repository root.
 * @param {string} page - The page of the repository.
 */
export function toPageLinks(text, folder, page) {
  return text.replace(/(?<=\]\()\.\.\/[^)\s#]*/g, (path) => `${page}/blob/main/${posix.join(folder, path)}`)
}
