import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linksOf, pages, resolveLink } from '../../.scripts/docs/site.mjs'
import { withSiteLinks } from '../../packages/docs/.vitepress/links.ts'
import { sidebar } from '../../packages/docs/.vitepress/sidebar.ts'
import { root } from '../repository.ts'

interface Item {
  readonly link?: string
  readonly items?: readonly Item[]
}

const linksIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ link, items: below = [] }) => [...(link ? [link] : []), ...linksIn(below)])

/** Files that the site build writes. */
const isApi = (path: string): boolean => path.startsWith('/api/')

describe('the pages of the site', () => {
  const files = [...pages.values()].filter((file) => !file.startsWith('packages/docs/api/'))

  test('contain only links to existing files and headings', () => {
    const links = files.flatMap((file) => linksOf(file).map((href) => [file, href] as const))
    expect(links.length).toBeGreaterThan(150)
    expect(links.flatMap(([file, href]) => resolveLink(file, href).error ?? [])).toEqual([])
  })

  test('contain only links to API groups that the build writes', () => {
    // A test of the operations compares this page with them.
    const operations = readFileSync(join(root, 'packages/docs/service/operations.md'), 'utf8')
    const groups = new Set(['', ...[...operations.matchAll(/^\| `(\w+)\.\w+`/gm)].map(([, group]) => group)])
    const links = files.flatMap((file) => linksOf(file).map((href) => resolveLink(file, href)))
    const apiLinks = links.flatMap(({ page = '', hash }) =>
      isApi(page) ? [{ group: page.slice('/api/'.length), hash }] : [],
    )
    expect(apiLinks.length).toBeGreaterThan(5)
    expect(apiLinks.filter(({ group, hash }) => !groups.has(group) || hash !== '')).toEqual([])
  })

  test('are all in the sidebar, which lists no others', () => {
    const listed = linksIn(sidebar)
      .filter((link) => !isApi(link))
      .map((link) => link.replace(/#.*/, ''))
    const written = [...pages.keys()].filter((path) => !isApi(path) && path !== '/')
    expect([...new Set(listed)].sort()).toEqual(written.sort())
  })

  test('link to the site in the text for language models', () => {
    const place = { file: 'packages/docs/start/index.md', base: '/docs/' }
    const before =
      '[deploy](../deploy.md#keys), [`core`](../../core/README.md), [below](#4-start-it), [a](https://a.example)'
    expect(withSiteLinks(before, place)).toBe(
      '[deploy](/docs/deploy#keys), [`core`](/docs/packages/core), [below](/docs/start/#4-start-it), [a](https://a.example)',
    )
    expect(withSiteLinks('![A run](../pictures/run.webp)', place)).toBe('Picture: A run')
    const sample = '```md\n[a](nowhere.md)\n```\n`[b](nowhere.md)`'
    expect(withSiteLinks(sample, place)).toBe(sample)
    const relative = files.flatMap((file) => {
      const text = withSiteLinks(readFileSync(join(root, file), 'utf8'), { file, base: '/' })
      const prose = text.replace(/^[ \t]*(```+)[^\n]*\n[\s\S]*?^[ \t]*\1/gm, '').replace(/`[^`\n]*`/g, '``')
      return [...prose.matchAll(/\]\((?!https?:|mailto:|\/)[^)\s]+\)/g)].map(([link]) => `${file}: ${link}`)
    })
    expect(relative).toEqual([])
  })

  test('show the nginx configuration that is tested', () => {
    const statements = (text: string): readonly string[] =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
    const page = readFileSync(join(root, 'packages/docs/deploy.md'), 'utf8')
    const [, snippet = ''] = /^```nginx\n([\s\S]*?)^```/m.exec(page) ?? []
    expect(statements(snippet)).toEqual(statements(readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')))
  })

  test('show existing deployment files, and all manifests', () => {
    const page = readFileSync(join(root, 'packages/docs/deploy-files.md'), 'utf8')
    const shown = [...page.matchAll(/^<<< @\/([^{]+)\{\w+\}$/gm)].map(([, path = '']) => path)
    expect(shown.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const manifests = readdirSync(join(root, 'deploy/kubernetes')).map((name) => `deploy/kubernetes/${name}`)
    expect(shown.filter((path) => path.startsWith('deploy/kubernetes/')).sort()).toEqual(manifests.sort())
  })

  test('have one title each', () => {
    const titles = files.map((file) => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1])
    expect(titles.filter((title) => title === undefined)).toEqual([])
    expect(new Set(titles).size).toBe(titles.length)
  })
})
