import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { resolveLink } from '../../../.scripts/docs/site.mjs'
import { repositoryPage } from './repository.ts'

const isExternal = (href: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)

/** Converts links between files of the repository to links between pages, so that they work in both. */
export function resolveLinks(md: MarkdownIt, root: string): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const path = pathOf(env)
    if (path === undefined) return
    const file = relative(root, path)
    for (const { children } of tokens)
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : undefined
        if (href && !isExternal(href)) token.attrSet('href', toAddress(file, href))
      }
  })
}

/** Returns the address of a link's target. A file that is not a page has one only if the repository's address is set. */
function findAddress(file: string, href: string): string | undefined {
  const target = resolveLink(file, decodeURI(href))
  if (target.error) throw new Error(target.error)
  const hash = target.hash ? `#${target.hash}` : ''
  if (target.page !== undefined) return `${target.page}${hash}`
  return repositoryPage && `${repositoryPage}/blob/main/${target.file}${hash}`
}

const toAddress = (file: string, href: string): string => findAddress(file, href) ?? '#'

const code = /^([ \t]*)(`{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$|`[^`\n]+`/gm

/**
 * Returns the Markdown of a page with links that work without its folder: relative links and anchors become addresses on
 * the site. Pictures, and links to files without an address, become text. Code is unchanged.
 *
 * @param file - The file of the page, from the repository root.
 * @param base - The folder of the site, such as `/docs/`.
 */
export function withSiteLinks(text: string, { file, base }: { readonly file: string; readonly base: string }): string {
  const samples: string[] = []
  const prose = text.replace(code, (sample) => `\0${samples.push(sample) - 1}\0`)
  const linked = prose.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, ...parts: string[]) => {
    const [mark, label = '', href = ''] = parts
    if (mark) return `Picture: ${label}`
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href)) return link
    const address = findAddress(file, href)
    return address === undefined ? label : `[${label}](${address.replace(/^\//, base)})`
  })
  return linked.replace(/\0(\d+)\0/g, (_token, index: string) => samples[Number(index)] ?? '')
}

/** Displays the braces of templates unchanged, because the pages contain no Vue expressions. */
export function showBraces(md: MarkdownIt): void {
  for (const name of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[name]
    if (render) md.renderer.rules[name] = (...args) => String(render(...args)).replaceAll('{{', '&#123;&#123;')
  }
}

/** Adds the dark version of each picture, such as `run-dark.webp` for `run.webp`. The style hides one of them. */
export function addDarkPictures(md: MarkdownIt): void {
  md.core.ruler.push('dark-pictures', ({ tokens, env }) => {
    const page = pathOf(env)
    if (page === undefined) return
    for (const token of tokens)
      token.children = token.children?.flatMap((child) => withDark(child, dirname(page))) ?? null
  })
}

function withDark(token: Token, folder: string): Token[] {
  const source = token.type === 'image' ? (token.attrGet('src') ?? '') : ''
  const darkSource = source.replace(/\.webp$/, '-dark.webp')
  if (darkSource === source || !existsSync(join(folder, darkSource))) return [token]
  const dark: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token, { attrs: [] })
  dark.attrSet('src', darkSource)
  dark.attrSet('alt', '')
  dark.attrSet('class', 'picture-dark')
  token.attrSet('class', 'picture-light')
  return [token, dark]
}

/** Returns the file of a page; `undefined` for the titles of containers, which are parsed separately. */
const pathOf = (env: { readonly realPath?: string; readonly path?: string }): string | undefined =>
  env.realPath ?? env.path

/** Hides the version of a picture for the other color scheme. */
export const pictureStyle = `
.picture-light, .picture-dark { border: 1px solid var(--vp-c-divider); border-radius: 8px; }
.dark .picture-light, html:not(.dark) .picture-dark { display: none; }`
