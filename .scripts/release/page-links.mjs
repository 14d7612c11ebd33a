import { posix } from 'node:path'

/**
 * Returns the page of a repository, whose address is written in one of the forms that npm accepts.
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
 * Returns a README whose links to files outside its package lead to the page of the repository. Those files are not in the
 * package, so a relative link is dead after `npm install`.
 *
 * @param {string} text - The README.
 * @param {string} folder - The folder of the package, from the top of the repository.
 * @param {string} page - The page of the repository.
 */
export function toPageLinks(text, folder, page) {
  return text.replace(/(?<=\]\()\.\.\/[^)\s#]*/g, (path) => `${page}/blob/main/${posix.join(folder, path)}`)
}
