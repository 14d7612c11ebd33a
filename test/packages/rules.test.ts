import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { packages, readJson, root } from '../repository.ts'
import { findCycles, foldersOf, type Source, sourcesOf } from './source.ts'

const maxFileLines = 250
const maxFunctionLines = 60

/** The allowed imports of each package, internal and external. A package that is not listed fails the test. */
const mayImport: Readonly<Record<string, { readonly own: readonly string[]; readonly other: readonly string[] }>> = {
  protocol: { own: [], other: [] },
  'api-client': { own: ['@trestle/protocol'], other: [] },
  html: { own: [], other: [] },
  'json-schema': { own: ['@trestle/protocol'], other: [] },
  'run-rules': { own: ['@trestle/protocol'], other: ['croner'] },
  templates: { own: ['@trestle/html', '@trestle/protocol'], other: ['liquidjs'] },
  'worker-pool': { own: [], other: [] },
  core: {
    own: ['@trestle/protocol', '@trestle/api-client', '@trestle/html', '@trestle/json-schema', '@trestle/templates'],
    other: ['@opentelemetry/api', 'json-schema-to-ts', 'liquidjs'],
  },
  express: { own: ['@trestle/core'], other: ['express'] },
  hono: { own: ['@trestle/core'], other: ['hono'] },
  next: { own: ['@trestle/core'], other: ['next'] },
  fastify: { own: ['@trestle/core', '@trestle/protocol'], other: ['fastify'] },
  h3: { own: ['@trestle/core'], other: ['h3'] },
  koa: { own: ['@trestle/core'], other: ['koa'] },
  lambda: { own: ['@trestle/core'], other: [] },
  nest: { own: ['@trestle/core'], other: ['@nestjs/common'] },
  'react-router': { own: ['@trestle/core'], other: ['react-router'] },
  sveltekit: { own: ['@trestle/core'], other: ['@sveltejs/kit'] },
  'bridge-client': { own: ['@trestle/protocol'], other: [] },
  codemod: { own: [], other: ['@babel/parser', 'magic-string'] },
  testing: {
    own: ['@trestle/core', '@trestle/protocol', '@trestle/run-rules'],
    other: ['vitest', '@jest/globals', 'expect', 'bun:test'],
  },
  // Everything is bundled into its files, so that users do not install these dependencies.
  studio: {
    own: ['@trestle/json-schema', '@trestle/protocol'],
    other: [
      ...['@base-ui/react', '@rjsf/core', '@rjsf/utils', '@tanstack/react-query'],
      ...['@codemirror/autocomplete', '@codemirror/commands', '@codemirror/lang-html', '@codemirror/lang-json'],
      ...[
        '@codemirror/language',
        '@codemirror/lint',
        '@codemirror/state',
        '@codemirror/view',
        '@lezer/highlight',
        'lucide-react',
        'marked',
      ],
      ...['react', 'react-dom', 'react-error-boundary', 'wouter', 'virtual:error-texts'],
    ],
  },
  service: {
    own: [
      '@trestle/bridge-client',
      '@trestle/html',
      '@trestle/inbound-mail',
      '@trestle/json-schema',
      '@trestle/protocol',
      '@trestle/run-rules',
      '@trestle/studio',
      '@trestle/templates',
      '@trestle/worker-pool',
    ],
    other: [
      '@node-rs/argon2',
      '@opentelemetry/api',
      'hono',
      'kysely',
      'libsql',
      'liquidjs',
      'nodemailer',
      'openid-client',
      'pg',
      'pino',
      'prom-client',
      'socket.io',
      'zod',
    ],
  },
  'inbound-mail': {
    own: ['@trestle/protocol', '@trestle/worker-pool'],
    other: ['mailauth', 'postal-mime', 'smtp-server'],
  },
  // The custom elements bundle Preact.
  inbox: { own: [], other: ['preact', 'react'] },
  cli: {
    own: [
      '@trestle/api-client',
      '@trestle/bridge-client',
      '@trestle/html',
      '@trestle/json-schema',
      '@trestle/protocol',
      '@trestle/run-rules',
      '@trestle/service',
    ],
    other: [],
  },
}

/** The maximum number of external dependencies of a package; 0 if it is not listed. */
const maxOthers: Readonly<Record<string, number>> = {
  codemod: 2,
  core: 3,
  'inbound-mail': 3,
  'run-rules': 1,
  service: 13,
  templates: 1,
}

/** Classes that web frameworks require. */
const classesAskedFor: Readonly<Record<string, readonly string[]>> = { nest: ['BridgeModule'] }

/** Schema libraries that the core imports by name, on demand, for user schemas of that library. */
const optionalPeers = ['zod-to-json-schema', '@valibot/to-json-schema']

/** Packages that import Node modules; all others also run on edge runtimes. */
const nodeOnly = ['fastify', 'bridge-client', 'codemod', 'inbound-mail', 'testing', 'service', 'cli', 'worker-pool']

/** Packages with modules at the root. In all others, the root contains only entry points. */
const withModulesAtRoot = ['protocol']

/** Entry points of a package other than `index.ts`. */
const entries: Readonly<Record<string, readonly string[]>> = {
  'api-client': ['events.ts'],
  core: [
    'html.ts',
    'novu.ts',
    'agents.ts',
    'ai.ts',
    'opentelemetry.ts',
    'cards.ts',
    'jsx-runtime.ts',
    'jsx-dev-runtime.ts',
  ],
  codemod: ['bin.ts'],
  html: ['addresses.ts', 'clean.ts', 'escape.ts', 'plain-text.ts'],
  templates: ['liquid.ts', 'text.ts'],
  service: ['bin.ts', 'read-thread.ts', 'sandbox-process.ts'],
  cli: ['bin.ts'],
  inbox: ['react.ts', 'element.ts'],
  studio: ['main.tsx'],
  testing: ['vitest.ts', 'jest.ts', 'bun.ts'],
}

/** Apart from the entry points, only the table of step kinds can re-export. */
const kindTable = 'workflow/steps/kinds.ts'

const maxFolderFiles = 14

/** Returns whether `npm run generate` writes the file; such files can be long. */
const isGenerated = (name: string): boolean => /(^|\/)generated\//.test(name)

/** Returns whether an import refers to a code file of the package, not to styles. */
const isSource = (path: string): boolean => /\.tsx?$/.test(path)

/**
 * Tables of texts, and names of styles, that are indexed by external names: `constructor` and `__proto__` exist in
 * every object. The studio reads them with `ownEntry`.
 */
function openReadsOf({ tree, name }: Source): readonly string[] {
  const tables = new Set(
    tree.statements.flatMap((node) => {
      if (ts.isVariableStatement(node))
        return node.declarationList.declarations
          .filter(({ type, initializer }) => initializer && /Record<\s*string\b/.test(type?.getText() ?? ''))
          .map((declaration) => declaration.name.getText())
      const isStyle =
        ts.isImportDeclaration(node) &&
        node.moduleSpecifier.getText().includes('.module.css') &&
        node.importClause?.name
      return isStyle ? [isStyle.text] : []
    }),
  )
  const accesses: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isElementAccessExpression(node) &&
      tables.has(node.expression.getText()) &&
      !ts.isStringLiteralLike(node.argumentExpression)
    )
      accesses.push(`${name}: ${node.getText()}`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return accesses
}

const roomOf = (name: string): string => dirname(name)

function functionsOf({ tree }: Source): readonly { line: number; lines: number; parameters: number }[] {
  const functions: { line: number; lines: number; parameters: number }[] = []
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineAt(node.getStart())
      functions.push({ line, lines: lineAt(node.end) - line + 1, parameters: node.parameters.length })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return functions
}

function classesOf({ tree }: Source): readonly string[] {
  return tree.statements.filter(ts.isClassDeclaration).map((node) => {
    const base = node.heritageClauses?.[0]?.types[0]?.expression.getText()
    return base?.endsWith('Error') ? '' : (node.name?.text ?? 'a class without a name')
  })
}

describe.each(packages)('$folder', (owner) => {
  const sources = sourcesOf(owner)
  const inside = new Map(sources.map(({ name, imports }) => [name, imports.filter((path) => isSource(path))]))
  const outside = [...new Set(sources.flatMap(({ imports }) => imports.filter((path) => !isSource(path))))]
  const allowed = mayImport[owner.folder]

  test('imports only allowed packages', () => {
    expect(allowed, 'the table mayImport has no row for this package').toBeDefined()
    const names = outside.map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    const unknown = names.filter((name) => !allowed?.own.includes(name) && !allowed?.other.includes(name))
    expect(unknown.filter((name) => !(nodeOnly.includes(owner.folder) && name.startsWith('node:')))).toEqual([])
  })

  test('has no other dependencies', () => {
    const { dependencies = {}, peerDependencies = {} } = owner.file
    const allowedPackages = [...(allowed?.own ?? []), ...(allowed?.other ?? [])]
    expect(Object.keys(dependencies).filter((name) => !allowedPackages.includes(name))).toEqual([])
    const peers = Object.keys(peerDependencies).filter((name) => !name.startsWith('@types/'))
    expect(peers.filter((name) => !allowedPackages.includes(name) && !optionalPeers.includes(name))).toEqual([])
    const others = Object.keys(dependencies).filter((name) => !name.startsWith('@trestle/'))
    expect(others.length).toBeLessThanOrEqual(maxOthers[owner.folder] ?? 0)
  })

  test(`no folder has more than ${maxFolderFiles} files`, () => {
    const rooms = [...new Set(sources.map(({ name }) => roomOf(name)))].filter((room) => !isGenerated(`${room}/`))
    const counts = rooms.map((room) => ({ room, files: sources.filter(({ name }) => roomOf(name) === room).length }))
    const full = counts.filter(({ files }) => files > maxFolderFiles)
    expect(full).toEqual([])
  })

  test('architecture.md lists its folders', () => {
    const folders = new Set(sources.map(({ name }) => roomOf(name)).filter((room) => room !== '.'))
    expect([...foldersOf(owner)].sort()).toEqual([...folders].sort())
  })

  test('no two folders import each other', () => {
    const edges = new Set(
      sources.flatMap(({ name, imports }) =>
        imports
          .filter((path) => isSource(path) && roomOf(path) !== roomOf(name))
          .map((path) => `${roomOf(name)} > ${roomOf(path)}`),
      ),
    )
    expect([...edges].filter((edge) => edges.has(edge.split(' > ').reverse().join(' > ')))).toEqual([])
  })

  test('its folders import only from folders above them in architecture.md', () => {
    const order = [...foldersOf(owner), '.']
    const wrong = sources.flatMap(({ name, imports }) =>
      imports
        .filter((path) => isSource(path) && order.indexOf(roomOf(path)) > order.indexOf(roomOf(name)))
        .map((path) => `${name} -> ${path}`),
    )
    expect(wrong).toEqual([])
  })

  test.skipIf(foldersOf(owner).length === 0 || withModulesAtRoot.includes(owner.folder))(
    'only entries are at the root',
    () => {
      const atRoot = sources.map(({ name }) => name).filter((name) => roomOf(name) === '.')
      expect(atRoot.filter((name) => name !== 'index.ts' && !entries[owner.folder]?.includes(name))).toEqual([])
    },
  )

  test('has no import cycles, including types', () => {
    expect(findCycles(inside)).toEqual([])
  })

  test('only index.ts re-exports, and no other file imports it', () => {
    const importers = sources.filter(({ imports }) => imports.includes('index.ts')).map(({ name }) => name)
    expect(importers).toEqual([])
    const barrels = sources.filter(
      ({ tree, name }) =>
        name !== 'index.ts' &&
        name !== kindTable &&
        !entries[owner.folder]?.includes(name) &&
        tree.statements.some((node) => ts.isExportDeclaration(node) && node.moduleSpecifier),
    )
    expect(barrels.map(({ name }) => name)).toEqual([])
  })

  test.runIf(owner.folder === 'studio')('no lookup table is indexed by external names', () => {
    expect(sources.flatMap(openReadsOf)).toEqual([])
  })

  test(`no file is longer than ${maxFileLines} lines`, () => {
    const long = sources.map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }))
    expect(long.filter(({ name, lines }) => lines > maxFileLines && !isGenerated(name))).toEqual([])
  })

  test(`no function is longer than ${maxFunctionLines} lines`, () => {
    const long = sources.flatMap((source) =>
      functionsOf(source).map((functionInfo) => ({ name: source.name, ...functionInfo })),
    )
    expect(long.filter(({ lines }) => lines > maxFunctionLines)).toEqual([])
  })

  test('only errors are classes', () => {
    const asked = classesAskedFor[owner.folder] ?? []
    expect(sources.flatMap(classesOf).filter((name) => name !== '' && !asked.includes(name))).toEqual([])
  })

  test('does not use `URL.canParse`, which rejects non-ASCII host names in Node 20 once it is optimized', () => {
    const asking = sources.filter(({ text }) => text.includes('URL.canParse('))
    expect(asking.map(({ name }) => name)).toEqual([])
  })

  test('no file has a catch-all name', () => {
    const vague = /(^|\/)(utils?|helpers?|types|constants?|common|misc|shared)\.ts$/
    expect(sources.filter(({ name }) => vague.test(name)).map(({ name }) => name)).toEqual([])
  })

  test('its versions match', () => {
    const versions = packages.map(({ file }) => file.version)
    expect(new Set(versions).size).toBe(1)
    for (const [name, range] of Object.entries(owner.file.dependencies ?? {}))
      if (name.startsWith('@trestle/')) expect(range).toBe(owner.file.version)
  })
})

describe('core', () => {
  const sources = sourcesOf(packages.find(({ folder }) => folder === 'core') as (typeof packages)[number])

  test('its version is that of the package', async () => {
    const { version } = readJson(join(root, 'packages/core/package.json')) as { version: string }
    expect(sources.find(({ name }) => name === 'config/version.ts')?.text).toContain(`'${version}'`)
  })
})

describe('the READMEs', () => {
  const places = ['.', ...packages.map(({ path }) => path)].map((path) => join(path === '.' ? root : path, 'README.md'))
  test.each(places.filter((path) => existsSync(path)).map((path) => [path.slice(root.length), path]))(
    '%s names existing paths',
    (_name, path) => {
      const text = readFileSync(path, 'utf8')
      const named = [
        ...text.matchAll(/(?:\]\(|`)((?:\.{0,2}\/)?(?:packages|examples|test|\.scripts|\.ci)\/[\w./-]*)/g),
      ].map(([, reference = '']) => reference)
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
      const missing = [
        ...named.map((reference) => join(root, reference)),
        ...links.map((link) => join(dirname(path), link)),
      ]
      expect(missing.filter((target) => !existsSync(target))).toEqual([])
    },
  )
  test.each(packages.map(({ folder, path }) => [folder, path]))('%s has one', (_folder, path) => {
    expect(existsSync(join(path, 'README.md'))).toBe(true)
  })
})
