import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failures } from '@trestle/bridge-client'
import { errorStatuses } from '@trestle/protocol'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { packages, root } from '../repository.ts'
import { sourcesOf } from './source.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The members of a union of string literals, in source order. */
function unionOf(path: string, name: string): readonly string[] {
  const tree = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  const alias = tree.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name)
  return [...(alias?.getText().matchAll(/'(\w+)'/g) ?? [])].map(([, code = '']) => code)
}

describe('errors.md', () => {
  const page = read('packages/docs/errors.md')
  const [, bridge = '', client = '', api = '', doctor = ''] = page.split(/^## /m)
  const codesIn = (part: string): string[] => [...part.matchAll(/^### `(\w+)`$/gm)].map(([, code = '']) => code)

  test.each([
    ['the bridge', bridge, Object.keys(errorStatuses)],
    ['the bridge client', client, Object.keys(failures)],
    ['the API client', api, unionOf('packages/api-client/src/error/error.ts', 'ApiErrorCode')],
  ])('has every code of %s exactly once, and no other codes', (_name, part, codes) => {
    expect(codes.length).toBeGreaterThan(10)
    expect(codesIn(part).sort()).toEqual([...codes].sort())
  })

  test('has only codes of the doctor that a probe reports', () => {
    const cli = packages.filter(({ folder }) => folder === 'cli')
    const probes = cli.flatMap(sourcesOf).filter(({ name }) => name.startsWith('doctor/probes/'))
    expect(codesIn(doctor).length).toBeGreaterThan(3)
    expect(codesIn(doctor).filter((code) => !probes.some(({ text }) => text.includes(`'${code}'`)))).toEqual([])
  })

  test('describes for each error when and why it occurs, what to do, and its message', () => {
    const sections = page.split(/^### /m).slice(1)
    expect(sections.length).toBeGreaterThan(80)
    for (const section of sections)
      expect(section).toMatch(
        /^`\w+`\n\n(Status .+|No status)\.\n\n- \*\*When:\*\* .+\n- \*\*Why:\*\* .+\n- \*\*What to do:\*\* .+\n- \*\*Message:\*\* `.+`\s*(\n## |$)/s,
      )
  })

  test('has the statuses from the table', () => {
    for (const [code, status] of Object.entries(errorStatuses)) {
      const [, documentedStatus = ''] = new RegExp(`^### \`${code}\`\\n\\nStatus (.+)\\.$`, 'm').exec(bridge) ?? []
      if (code !== 'ApiRequestFailedError') expect([code, documentedStatus]).toEqual([code, String(status)])
    }
  })
})

describe('architecture.md', () => {
  const page = read('packages/docs/architecture.md')

  test('has a section for existing packages only', () => {
    const named = [...page.matchAll(/^## packages\/([\w-]+)$/gm)].map(([, folder = '']) => folder)
    expect(named.filter((folder) => !packages.some((owner) => owner.folder === folder))).toEqual([])
  })

  test('names only files that exist', () => {
    const core = [
      ...page.matchAll(/`((?:base|call|config|controls|discovery|http|run|schema|workflow)\/[\w/-]+\.ts)`/g),
    ]
    expect(core.length).toBeGreaterThan(8)
    const missing = core
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, 'packages/core/src', path)))
    expect(missing).toEqual([])
  })
})

describe('@source', () => {
  const external = /^(?:https:\/\/|RFC |WHATWG |IANA |JSON Schema |Standard Schema |CSS )/
  const slug = (title: string): string =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
  const headings = new Map<string, ReadonlySet<string>>()
  const headingsOf = (name: string): ReadonlySet<string> => {
    const cachedSlugs = headings.get(name)
    if (cachedSlugs) return cachedSlugs
    const path = join('packages/docs', name)
    const titles = existsSync(join(root, path)) ? [...read(path).matchAll(/^#+ (.+)$/gm)] : []
    const slugs = new Set(titles.map(([, title = '']) => slug(title)))
    headings.set(name, slugs)
    return slugs
  }
  const sources = packages.flatMap((owner) =>
    sourcesOf(owner).flatMap(({ name, text }) =>
      [...text.matchAll(/@source ([^*\n]+)/g)].map(
        ([, cited = '']) => [`${owner.folder}/${name}`, cited.trim()] as const,
      ),
    ),
  )

  test('refers to a heading of the documentation, or to a public standard', () => {
    expect(sources.length).toBeGreaterThan(100)
    const dead = sources.flatMap(([file, cited]) =>
      cited.split(', ').flatMap((one) => {
        const [, page = '', heading = ''] = /^([\w-]+\.md)#([\w-]+)$/.exec(one) ?? []
        return (page !== '' && headingsOf(page).has(heading)) || external.test(cited) || external.test(one)
          ? []
          : [`${file}: ${one}`]
      }),
    )
    expect(dead).toEqual([])
  })
})
