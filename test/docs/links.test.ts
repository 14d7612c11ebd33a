import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linksOf, pages, resolveLink } from '../../.scripts/docs/site.mjs'
import { sidebar } from '../../packages/docs/.vitepress/sidebar.ts'
import { root } from '../repository.ts'

interface Item {
  readonly link?: string
  readonly items?: readonly Item[]
}

const linksIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ link, items: below = [] }) => [...(link ? [link] : []), ...linksIn(below)])

/** Files that the site build writes. */
const isApi = (path: string): boolean => path.startsWith('/api/') || path.startsWith('api/')

describe('the pages of the site', () => {
  const files = [...pages.values()].filter((file) => !file.startsWith('packages/docs/api/'))

  test('contain only links to existing files and headings', () => {
    const links = files.flatMap((file) => linksOf(file).map((href) => [file, href] as const))
    expect(links.length).toBeGreaterThan(150)
    const dead = links.flatMap(([file, href]) =>
      isApi(href.replace(/^(\.\.?\/)+/, '')) ? [] : (resolveLink(file, href).error ?? []),
    )
    expect(dead).toEqual([])
  })

  test('are all in the sidebar, which lists no others', () => {
    const listed = linksIn(sidebar)
      .filter((link) => !isApi(link))
      .map((link) => link.replace(/#.*/, ''))
    const written = [...pages.keys()].filter((path) => !isApi(path) && path !== '/')
    expect([...new Set(listed)].sort()).toEqual(written.sort())
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

  test('have one title each', () => {
    const titles = files.map((file) => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1])
    expect(titles.filter((title) => title === undefined)).toEqual([])
    expect(new Set(titles).size).toBe(titles.length)
  })
})
