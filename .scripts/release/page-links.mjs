import { posix } from 'node:path'

/**
 * Returns the web page of a repository from an address in any form that npm accepts.
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
 * Returns a README with links to files outside its package replaced by links to the repository's page. The published
 * package does not contain those files.
 *
 * @param {string} text - The README.
 * @param {string} folder - The folder of the package, from the top of the repository.
 * @param {string} page - The page of the repository.
 */
export function toPageLinks(text, folder, page) {
  return text.replace(/(?<=\]\()\.\.\/[^)\s#]*/g, (path) => `${page}/blob/main/${posix.join(folder, path)}`)
}
