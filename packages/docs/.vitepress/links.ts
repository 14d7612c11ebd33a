import { relative } from 'node:path'
import type MarkdownIt from 'markdown-it'
import { resolveLink } from '../../../.scripts/docs/site.mjs'
import { repositoryPage } from './repository.ts'

const isExternal = (href: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)

/** Converts links between files of the repository to links between pages, so that they work in both. */
export function resolveLinks(md: MarkdownIt, root: string): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = relative(root, env.realPath ?? env.path)
    for (const { children } of tokens)
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : undefined
        if (href && !isExternal(href)) token.attrSet('href', toAddress(file, href))
      }
  })
}

function toAddress(file: string, href: string): string {
  const found = resolveLink(file, decodeURI(href))
  if (found.error) throw new Error(found.error)
  const hash = found.hash ? `#${found.hash}` : ''
  if (found.page !== undefined) return `${found.page}${hash}`
  return repositoryPage ? `${repositoryPage}/blob/main/${found.file}${hash}` : '#'
}

/** Displays the braces of templates unchanged, because the pages contain no Vue expressions. */
export function showBraces(md: MarkdownIt): void {
  for (const name of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[name]
    if (render) md.renderer.rules[name] = (...args) => String(render(...args)).replaceAll('{{', '&#123;&#123;')
  }
}
