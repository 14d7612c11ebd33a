import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from '../prepare.mjs'

/**
 * Returns the path of a Markdown file on the site, such as `packages/core.md` for
 * `packages/core/README.md`.
 *
 * @param {string} file - The file's path from the repository root.
 */
export const toPagePath = (file) =>
  file
    .replace(/^packages\/docs\//, '')
    .replace(/^((?:packages|examples)\/[\w-]+)\/README\.md$/, '$1.md')
    .replace(/^SECURITY\.md$/, 'security.md')

const filesIn = (folder, pattern) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => pattern.test(name))
const readmesIn = (folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}/README.md`)
    .filter((name) => existsSync(join(root, name)))

/** The Markdown files that are pages of the site, by page path, such as `/errors`. */
export const pages = new Map(
  [
    ...filesIn('packages/docs', /^packages\/docs\/(?!node_modules|\.vitepress).*\.md$/).sort(),
    ...readmesIn('packages').filter((name) => name !== 'packages/docs/README.md'),
    ...readmesIn('examples'),
    'SECURITY.md',
  ].map((file) => [
    `/${toPagePath(file)
      .replace(/(^|\/)index\.md$/, '$1')
      .replace(/\.md$/, '')}`,
    file,
  ]),
)

const pathByFile = new Map([...pages].map(([path, file]) => [file, path]))

/**
 * Returns the id of a heading as GitHub generates it, so that links work in the repository and on the site.
 *
 * @param {string} title - The text of the heading.
 */
export const slugify = (title) =>
  title
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

/** Returns the ids of the headings in a Markdown file. */
export function anchorsOf(file) {
  const anchors = new Set()
  let fence = ''
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? []
    if (mark) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    const [, title] = (fence === '' && /^#{1,6} (.+)$/.exec(line)) || []
    if (!title) continue
    const slug = slugify(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    let unique = slug
    for (let count = 1; anchors.has(unique); count++) unique = `${slug}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/**
 * Resolves a link on a page.
 *
 * @param {string} file - The file that contains the link, from the repository root.
 * @param {string} href - The link as written.
 * @returns {{ page?: string, file?: string, hash: string, error?: string }} The path of a page, or of a repository file
 * that is not a page; `error` if the target does not exist.
 */
export function resolveLink(file, href) {
  const [target, hash = ''] = href.split('#')
  const targetPath = target === '' ? file : relative(root, resolve(root, dirname(file), target))
  // The build writes these pages; it fails on a link to a page that does not exist.
  if (/^packages\/docs\/api\/[\w-]+\.md$/.test(targetPath))
    return { page: `/${toPagePath(targetPath).replace(/\.md$/, '')}`, hash }
  if (!existsSync(join(root, targetPath))) return { hash, error: `${file}: ${href} does not exist` }
  const readme = existsSync(join(root, targetPath, 'README.md')) ? `${targetPath}/README.md` : targetPath
  const page = pathByFile.get(readme)
  if (hash && readme.endsWith('.md') && !anchorsOf(readme).has(hash))
    return { hash, error: `${file}: ${href} names a heading that does not exist` }
  return page === undefined ? { file: targetPath, hash } : { page, hash }
}

const isExternal = (href) => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)

/** Returns the links from a Markdown file to other pages and files, except those in code. */
export function linksOf(file) {
  const prose = readFileSync(join(root, file), 'utf8')
    .replace(/^\s*(```+)[^\n]*\n[\s\S]*?^\s*\1/gm, '')
    .replace(/`[^`\n]*`/g, '``')
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href)
  const front = [...prose.matchAll(/^\s*link: (\S+)$/gm)].map(([, href]) => href)
  return [...inline, ...front].filter((href) => !isExternal(href))
}
