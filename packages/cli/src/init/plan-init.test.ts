import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { applyPlan } from './apply-plan.ts'
import { findInstaller } from './find-installer.ts'
import { planInit } from './plan-init.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-init-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
const packageOf = (dependencies: Record<string, string>, rest: object = {}): string =>
  JSON.stringify({ name: 'app', dependencies, ...rest }, null, 2)
const textOf = (folder: string, path: string): string | undefined =>
  planInit(folder).files.find((file) => file.path === path)?.text

describe('an Express app', () => {
  it.each(['module', 'commonjs'])(
    'whose entry is a .cjs file gets CommonJS workflows, in a package of type %s',
    (type) => {
      const entry = "const express = require('express')\nconst other = require('./other')\nconst app = express()\n"
      const folder = folderWith({ 'package.json': packageOf({ express: '5' }, { type }), 'server.cjs': entry })
      expect(textOf(folder, 'server.cjs')).toContain("require('./workflows.cjs')")
      expect(textOf(folder, 'workflows.cjs')).toContain('module.exports = { workflows: [welcome], welcome }')
    },
  )

  it.each([
    ['{ "extends": "../../tsconfig.base.json" }', './workflows.js'],
    ['{ "extends": ["@tsconfig/strictest", "../../tsconfig.base"] }', './workflows.js'],
    ['{ "extends": "../../tsconfig.base.json", "compilerOptions": { "module": "esnext" } }', './workflows'],
    ['{ "extends": "../../nowhere.json" }', './workflows'],
    ['{ "extends": "./tsconfig.json" }', './workflows'],
  ])('in a workspace uses the import style of the configuration that it extends: %s', (tsconfig, specifier) => {
    const folder = folderWith({
      'tsconfig.base.json': '{ "compilerOptions": { "module": "NodeNext" } }',
      'apps/api/tsconfig.json': tsconfig,
      'apps/api/package.json': packageOf({ express: '5' }, { type: 'module' }),
      'apps/api/src/server.ts': "import express from 'express'\n\nconst app = express()\n",
    })
    expect(textOf(join(folder, 'apps/api'), 'src/server.ts')).toContain(`from '${specifier}'`)
  })

  it.each<[string, string, string, string]>([
    [
      'modules',
      "import express from 'express'\n\nconst app = express()\napp.use(express.json())\n",
      "import { serve } from '@trestle/express'\nimport { workflows } from './workflows.js'\n",
      "const app = express()\n\n// Before any body parser, so that the bridge sees the bytes that were signed.\napp.all('/api/bridge', serve({ workflows }))\napp.use",
    ],
    [
      'modules with semicolons, double quotes and a comment',
      'import express from "express";\nimport { a } from "./a.js";\n\nconst server = express(); // the app\nserver.use(a);\n',
      'import { serve } from "@trestle/express";\nimport { workflows } from "./workflows.js";\n',
      'server.all("/api/bridge", serve({ workflows }));\nserver.use(a)',
    ],
    [
      'CommonJS',
      "const express = require('express')\nconst app = express()\n\napp.listen(3000)\n",
      "const { serve } = require('@trestle/express')\nconst { workflows } = require('./workflows.js')\n",
      "app.all('/api/bridge', serve({ workflows }))",
    ],
    [
      'lines that end as on Windows',
      "import express from 'express'\r\n\r\nconst app = express()\r\n",
      "import { serve } from '@trestle/express'\r\nimport { workflows } from './workflows.js'\r\n",
      "app.all('/api/bridge', serve({ workflows }))\r\n",
    ],
    [
      'an import of several lines',
      "import express from 'express'\nimport {\n  one,\n  two,\n} from './numbers.js'\n\nconst app = express()\n",
      "} from './numbers.js'\nimport { serve } from '@trestle/express'\n",
      "app.all('/api/bridge'",
    ],
  ])('of %s mounts the bridge before everything else', (_what, entry, imports, mounted) => {
    const folder = folderWith({ 'package.json': packageOf({ express: '5' }, { type: 'module' }), 'server.js': entry })
    const text = textOf(folder, 'server.js') ?? ''
    expect(text).toContain(imports)
    expect(text).toContain(mounted)
    // Existing content is never lost.
    for (const line of entry.split(/\r?\n/)) expect(text).toContain(line)
    expect(planInit(folder).manual).toEqual([])
  })

  it.each([
    [
      'a function',
      "import express from 'express'\n\nexport function createApp() {\n  const app = express()\n  app.use(express.json())\n  return app\n}\n",
      "  const app = express()\n\n  // Before any body parser, so that the bridge sees the bytes that were signed.\n  app.all('/api/bridge', serve({ workflows }))\n  app.use",
    ],
    [
      'a constructor',
      "import express from 'express';\n\nexport class Server {\n\tconstructor() {\n\t\tthis.app = express();\n\t}\n}\n",
      "\t\tthis.app.all('/api/bridge', serve({ workflows }));\n\t}",
    ],
  ])('created in %s mounts the bridge there, with its imports at the top', (_what, entry, mounted) => {
    const folder = folderWith({ 'package.json': packageOf({ express: '5' }, { type: 'module' }), 'src/app.js': entry })
    const text = textOf(folder, 'src/app.js') ?? ''
    expect(text).toMatch(/^import express from 'express';?\nimport \{ serve \} from '@trestle\/express'/)
    expect(text).toContain(mounted)
    expect(planInit(folder).manual).toEqual([])
  })

  it('with CommonJS gets workflows that it can require', () => {
    const folder = folderWith({
      'package.json': packageOf({ express: '5' }),
      'index.js': "const express = require('express')\nconst app = express()\n",
    })
    expect(textOf(folder, 'workflows.js')).toMatch(
      /const \{ escapeHtml, workflow \} = require\('@trestle\/core'\)[\s\S]*module\.exports = \{ workflows: \[welcome\], welcome \}/,
    )
  })

  it.each([
    ['the app is created twice', "import express from 'express'\nconst app = express()\nconst admin = express()\n"],
    ['the app is a field of a class', "import express from 'express'\nexport class Server {\n  app = express()\n}\n"],
    [
      'everything is imported inside a function',
      "export async function createApp() {\n  const { default: express } = await import('express')\n  const app = express()\n}\n",
    ],
    ['the app is created in a chain', "import express from 'express'\nexport default express().use(a)\n"],
  ])('is not edited if %s: the lines to add are printed', (_what, entry) => {
    const folder = folderWith({ 'package.json': packageOf({ express: '5' }), 'src/app.js': entry })
    const { files, manual } = planInit(folder)
    expect(files.map(({ path }) => path)).toEqual(['src/workflows.js', 'package.json'])
    expect(manual).toEqual([
      expect.objectContaining({
        file: 'src/app.js',
        lines: [expect.stringContaining("from '@trestle/express'"), "app.all('/api/bridge', serve({ workflows }))"],
      }),
    ])
  })

  it('is found by the file that its script starts, before other files', () => {
    const entry = "import express from 'express'\nconst app = express()\n"
    const folder = folderWith({
      'package.json': packageOf({ express: '5' }, { scripts: { dev: 'node --watch src/http/main.js' } }),
      'index.js': entry,
      'src/http/main.js': entry,
    })
    expect(planInit(folder).files.map(({ path }) => path)).toEqual([
      'src/http/workflows.js',
      'src/http/main.js',
      'package.json',
    ])
  })

  it.each([
    ['another import with .ts', "import { a } from './a.ts'\n", '{}', './workflows.ts'],
    ['another import with .js', "import { a } from './a.js'\n", '{}', './workflows.js'],
    ['another import without an ending', "import { a } from './a'\n", '{}', './workflows'],
    ['modules of Node', '', '{ "compilerOptions": { "module": "NodeNext" } }', './workflows.js'],
    [
      'imports with .ts allowed',
      '',
      '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true } }',
      './workflows.ts',
    ],
    ['a bundler', '', '{ "compilerOptions": { "module": "esnext" } }', './workflows'],
    [
      'options that are comments',
      '',
      '{ "compilerOptions": {\n// "module": "nodenext",\n// "allowImportingTsExtensions": true, /* */\n"module": "esnext" } }',
      './workflows',
    ],
    [
      'texts that look like comments',
      '',
      '{ "compilerOptions": { "paths": { "@/*": ["./*"] }, "baseUrl": "//", "module": "nodenext" /* "esnext" */ } }',
      './workflows.js',
    ],
  ])('with TypeScript imports the workflows in its own style: %s', (_what, line, tsconfig, specifier) => {
    const entry = `import express from 'express'\n${line}const app = express()\n`
    const folder = folderWith({
      'package.json': packageOf({ express: '5' }),
      'tsconfig.json': tsconfig,
      'src/server.ts': entry,
    })
    expect(textOf(folder, 'src/server.ts')).toContain(`from '${specifier}'`)
    expect(textOf(folder, 'src/workflows.ts')).toContain('payloadSchema: z.object')
  })

  it('that already has workflows keeps them', () => {
    const folder = folderWith({
      'package.json': packageOf({ express: '5' }),
      'server.js': "import express from 'express'\nconst app = express()\n",
      'workflows.js': 'mine',
    })
    expect(planInit(folder).files.map(({ path }) => path)).toEqual([
      'notification-workflows.js',
      'server.js',
      'package.json',
    ])
  })
})

describe('a Hono app', () => {
  it.each([
    ["import { Hono } from 'hono'\n\nconst app = new Hono()\nexport default app\n", 'app'],
    ["import { Hono } from 'hono'\n\nexport const api = new Hono<{ Bindings: Env }>();\n", 'api'],
  ])('gets the bridge after the statement that creates it: %j', (entry, name) => {
    const folder = folderWith({
      'package.json': packageOf({ hono: '4' }),
      'tsconfig.json': '{}',
      'src/index.ts': entry,
    })
    expect(textOf(folder, 'src/index.ts')).toContain(`${name}.all('/api/bridge', serve({ workflows }))`)
    expect(planInit(folder).framework).toBe('hono')
  })

  it.each([
    'const app = new Hono().get("/", h)',
    'const app = new Hono()\n  .get("/", h)',
    'const app = new Hono({ strict: false })',
  ])('is not edited if that statement contains more: %j', (statement) => {
    const folder = folderWith({
      'package.json': packageOf({ hono: '4' }),
      'src/index.ts': `import { Hono } from 'hono'\n${statement}\n`,
    })
    expect(planInit(folder).manual).toHaveLength(1)
  })
})

describe('a Next app', () => {
  it.each([
    [
      'app',
      'app/page.tsx',
      ['workflows.ts', 'app/api/bridge/route.ts', 'package.json'],
      'export const { GET, POST, OPTIONS',
    ],
    [
      'src/app',
      'src/app/page.tsx',
      ['src/workflows.ts', 'src/app/api/bridge/route.ts', 'package.json'],
      "from '../../../workflows'",
    ],
    ['pages', 'pages/index.tsx', ['workflows.ts', 'pages/api/bridge.ts', 'package.json'], 'bodyParser: false'],
  ])('with the folder %s gets a route', (_what, page, paths, text) => {
    const folder = folderWith({
      'package.json': packageOf({ next: '16', express: '5' }),
      'tsconfig.json': '{}',
      [page]: '',
    })
    const { files, framework } = planInit(folder)
    expect([framework, files.map(({ path }) => path)]).toEqual(['next', paths])
    expect(files[1]?.text).toContain(text)
  })

  it('with an existing route is not changed', () => {
    const folder = folderWith({ 'package.json': packageOf({ next: '16' }), 'app/api/bridge/route.js': 'mine' })
    expect(() => planInit(folder)).toThrow('already exists')
  })
})

describe('package.json', () => {
  const entry = "import express from 'express'\nconst app = express()\n"
  it('keeps its indentation, fields and dependencies', () => {
    const before = `{\n\t"name": "app",\n\t"scripts": { "trestle:dev": "mine" },\n\t"dependencies": { "zod": "^4.0.0", "express": "5" },\n\t"x": [1]\n}\n`
    const folder = folderWith({ 'package.json': before, 'server.js': entry })
    const text = textOf(folder, 'package.json') ?? ''
    expect(text).toMatch(/^\{\n\t"name"/)
    const file = JSON.parse(text)
    expect(file).toMatchObject({
      x: [1],
      scripts: { 'trestle:dev': 'mine' },
      dependencies: { zod: '^4.0.0', express: '5' },
    })
    expect(Object.keys(file.dependencies)).toEqual(['@trestle/core', '@trestle/express', 'express', 'zod'])
    expect(Object.keys(file.devDependencies)).toEqual(['@trestle/cli'])
  })

  it('gets no script with the name of an executable, which yarn would run instead', () => {
    const folder = folderWith({ 'package.json': packageOf({ express: '5' }), 'server.js': entry })
    expect(Object.keys(JSON.parse(textOf(folder, 'package.json') ?? '').scripts)).toEqual(['trestle:dev'])
  })

  it.each<[string, object, Record<string, string>, string]>([
    ['its script dev', { dev: 'tsx watch server.ts', start: 'node .' }, {}, 'trestle dev --run "npm run dev"'],
    ['its script start', { start: 'node .' }, {}, 'trestle dev --run "npm run start"'],
    ['its file', {}, {}, 'trestle dev --run "node --watch server.js"'],
    ['Next', {}, { next: '16' }, 'trestle dev --run "next dev"'],
    ['a script that runs this command', { dev: 'npm run trestle:dev' }, { next: '16' }, 'trestle dev --run "next dev"'],
  ])('gets a script that starts the app with the local service: by %s', (_what, scripts, dependencies, command) => {
    const all = { express: '5', ...dependencies }
    const folder = folderWith({ 'package.json': packageOf(all, { scripts }), 'server.js': entry, 'app/page.js': '' })
    const plan = planInit(folder, { installer: findInstaller(folder, {}) })
    const text = plan.files.find(({ path }) => path === 'package.json')?.text ?? ''
    expect([JSON.parse(text).scripts['trestle:dev'], plan.devScript]).toEqual([command, 'trestle:dev'])
  })

  it('with Zod 3 keeps it, and the workflow uses a JSON Schema', () => {
    const folder = folderWith({ 'package.json': packageOf({ express: '5', zod: '^3.25.0' }), 'server.js': entry })
    expect(textOf(folder, 'workflows.js')).not.toContain('zod')
    expect(textOf(folder, 'workflows.js')).toContain("type: 'object'")
    expect(JSON.parse(textOf(folder, 'package.json') ?? '').dependencies.zod).toBe('^3.25.0')
  })

  it.each(['{', '[]', '7'])('that is invalid is not changed: %s', (text) => {
    const folder = folderWith({ 'package.json': text, 'server.js': entry })
    expect(() => planInit(folder)).toThrow()
  })

  it('of an app with a bridge is not changed', () => {
    const folder = folderWith({
      'package.json': packageOf({ express: '5', '@trestle/express': '0.1.0' }),
      'src/http/bridge.ts': "import { serve } from '@trestle/express'\n",
    })
    expect(planInit(folder)).toMatchObject({ isDone: true, files: [], mountedIn: join('src', 'http', 'bridge.ts') })
  })

  it('of an unsupported framework is rejected', () => {
    expect(() => planInit(folderWith({ 'package.json': packageOf({ koa: '3' }) }))).toThrow(
      'neither Express, Hono nor Next',
    )
  })

  it.each([
    ['@sveltejs/kit', '@trestle/sveltekit'],
    ['react-router', '@trestle/react-router'],
    ['@nestjs/core', '@trestle/nest'],
    ['nuxt', '@trestle/h3'],
    ['h3', '@trestle/h3'],
    ['fastify', '@trestle/fastify'],
    ['koa', '@trestle/koa'],
    ['@types/aws-lambda', '@trestle/lambda'],
    ['elysia', 'createBridge from @trestle/core'],
  ])('of %s names the adapter to use: %s', (dependency, adapter) => {
    const folder = folderWith({ 'package.json': packageOf({ [dependency]: '1' }) })
    expect(() => planInit(folder)).toThrow(expect.objectContaining({ fix: expect.stringContaining(adapter) }))
  })
})

describe('a new app', () => {
  const newFiles = [
    'tsconfig.json',
    'tsconfig.build.json',
    '.gitignore',
    'production.env',
    'src/server.ts',
    'src/workflows.ts',
  ]

  it('is created in an empty or missing folder', () => {
    const folder = folderWith({ 'README.md': 'words', '.git/config': '' })
    for (const place of [folder, join(folder, '.new/My App')]) {
      const { files, framework } = planInit(place)
      expect([framework, files.map(({ path }) => path)]).toEqual(['new', ['package.json', ...newFiles]])
    }
    expect(JSON.parse(planInit(join(folder, '.new/My App')).files[0]?.text ?? '').name).toBe('my-app')
  })

  it('exports its workflow, so that tests can import it', () => {
    expect(textOf(folderWith({}), 'src/workflows.ts')).toMatch(/^export const welcome = workflow\(/m)
  })

  it('does not commit previews and replay reports', () => {
    expect(textOf(folderWith({}), '.gitignore')?.split('\n')).toEqual(
      expect.arrayContaining(['previews/', 'replay.html', '.env*', '!.env.example', '.trestle/']),
    )
  })

  it('names the secrets in production.env only in comments, because the file is committed', () => {
    const text = textOf(folderWith({}), 'production.env') ?? ''
    expect(text).toContain('SERVICE_SECRET_KEY')
    expect(text).toContain('SERVICE_API_URL')
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['NODE_ENV=production'])
  })

  it.each<[string, Record<string, string>, object]>([
    [
      'npm init has left alone',
      {},
      { type: 'commonjs', main: 'index.js', scripts: { test: 'exit 1' }, version: '1.0.0' },
    ],
    ['only this command was installed in', { '@trestle/cli': 'file:../cli.tgz' }, { overrides: { hono: '4' } }],
    ['the packages of one were installed in', { hono: '^4.0.0', '@trestle/hono': '0.1.0' }, {}],
  ])('is created in a folder that %s, and keeps the content of package.json', (_what, dependencies, rest) => {
    const text = packageOf(dependencies, rest)
    const folder = folderWith({ 'package.json': text, 'package-lock.json': '{}', 'node_modules/hono/index.js': '' })
    const { files, framework } = planInit(folder, { installer: findInstaller(folder) })
    expect([framework, files.map(({ path, isChange }) => [path, isChange])]).toEqual([
      'new',
      [['package.json', true], ...newFiles.map((path) => [path, false])],
    ])
    const before = JSON.parse(text)
    const after = JSON.parse(files[0]?.text ?? '')
    expect(after).toMatchObject({ ...before, type: 'module' })
    expect(after.scripts.dev).toBe('trestle dev --run "npm run serve"')
    expect(Object.keys({ ...after.dependencies, ...after.devDependencies })).toEqual(
      expect.arrayContaining(['@hono/node-server', '@trestle/core', '@trestle/cli', 'tsx', 'zod']),
    )
    applyPlan(folder, planInit(folder))
    expect(planInit(folder).isDone).toBe(true)
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['code of its own', { 'package.json': packageOf({}), 'src/index.ts': '' }],
    ['workspaces', { 'package.json': packageOf({}, { workspaces: ['apps/*'] }) }],
  ])('is not created if package.json has %s', (_what, files) => {
    const advice = { fix: expect.stringContaining('trestle init my-app') }
    expect(() => planInit(folderWith(files))).toThrow(expect.objectContaining(advice))
  })

  it.each([
    ['pnpm-lock.yaml', 'pnpm run serve'],
    ['yarn.lock', 'yarn run serve'],
  ])(
    'in a workspace with %s is started by the workspace’s package manager, because npm may be missing or unable to find the executables',
    (file, serve) => {
      const folder = folderWith({ [file]: '' })
      const { scripts } = JSON.parse(planInit(join(folder, 'apps/new')).files[0]?.text ?? '')
      expect(scripts.dev).toBe(`trestle dev --run "${serve}"`)
    },
  )

  it('with pnpm sets what pnpm requires for package scripts, except in a workspace, whose root has these settings', () => {
    const folder = folderWith({})
    const env = { npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v20.20.2 linux x64' }
    const paths = (): string[] =>
      planInit(join(folder, 'new'), { installer: findInstaller(folder, env) }).files.map(({ path }) => path)
    expect(paths()).toContain('pnpm-workspace.yaml')
    writeFileSync(join(folder, 'pnpm-lock.yaml'), '')
    expect(paths()).not.toContain('pnpm-workspace.yaml')
  })

  it('is not created in a folder with other files', () => {
    expect(() => planInit(folderWith({ 'notes.txt': 'mine' }))).toThrow('not empty')
  })

  it('does not overwrite a file created in the meantime', () => {
    const folder = folderWith({})
    const plan = planInit(folder)
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/server.ts'), 'mine')
    expect(() => applyPlan(folder, plan)).toThrow('src/server.ts already exists')
  })
})

describe('existing names of the entry file', () => {
  it('are kept, such as `serve` of the Hono server', () => {
    const entry =
      "import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'\n\nconst app = new Hono()\nserve({ fetch: app.fetch, port: 3000 })\n"
    const folder = folderWith({ 'package.json': packageOf({ hono: '4' }, { type: 'module' }), 'src/index.ts': entry })
    const text = textOf(folder, join('src', 'index.ts'))
    expect(text).toContain("import { serve as serveBridge } from '@trestle/hono'")
    expect(text).toContain("app.all('/api/bridge', serveBridge({ workflows }))")
  })

  it('are kept in CommonJS, and in the printed lines', () => {
    const entry = "const express = require('express')\nconst workflows = []\nconst app = express()\n"
    const files = { 'package.json': packageOf({ express: '5' }), 'server.js': entry }
    expect(textOf(folderWith(files), 'server.js')).toContain('const { workflows: bridgeWorkflows } = require(')
    expect(textOf(folderWith(files), 'server.js')).toContain('serve({ workflows: bridgeWorkflows })')
    const twice = folderWith({ ...files, 'server.js': `${entry}const other = express()\n` })
    expect(planInit(twice).manual[0]?.lines.join('\n')).toContain('serve({ workflows: bridgeWorkflows })')
  })
})

it.each([
  ['package.json', 'server.js'],
  ['server.js', 'package.json'],
])('does not change an app whose %s is not UTF-8', (path, other) => {
  const files: Record<string, string> = {
    'package.json': packageOf({ express: '5' }, { author: 'Jürgen', type: 'module' }),
    'server.js': "import express from 'express'\n// Grüße\nconst app = express()\n",
  }
  const folder = folderWith({ [other]: files[other] ?? '' })
  writeFileSync(join(folder, path), files[path] ?? '', 'latin1')
  expect(() => planInit(folder)).toThrow(
    expect.objectContaining({
      message: `${path} is not UTF-8 and was not changed.`,
      fix: 'Save it as UTF-8, and run this again.',
    }),
  )
})

it('does not change a package.json that is not UTF-8 for a new app', () => {
  const folder = folderWith({})
  writeFileSync(join(folder, 'package.json'), '{ "author": "Jürgen" }', 'latin1')
  expect(() => planInit(folder)).toThrow('package.json is not UTF-8')
})

it('finds an exported Express app', () => {
  const entry = "import express from 'express'\n\nexport const app = express()\n"
  const folder = folderWith({ 'package.json': packageOf({ express: '5' }, { type: 'module' }), 'src/app.ts': entry })
  expect(textOf(folder, join('src', 'app.ts'))).toContain("app.all('/api/bridge', serve({ workflows }))")
})

it.each([
  ['{ "compilerOptions": { "module": "commonjs" } }', '^5.9.3', true],
  ['{ "compilerOptions": { "module": "CommonJS" } }', '6.0.3', false],
  ['{ "compilerOptions": { "module": "commonjs", "moduleResolution": "node10" } }', '6.0.3', true],
  ['{ "compilerOptions": { "module": "nodenext" } }', '^5.9.3', false],
])('gives advice if TypeScript does not find types: %s of %s', (tsconfig, typescript, isGiven) => {
  const folder = folderWith({
    'package.json': packageOf({ express: '5' }, { devDependencies: { typescript } }),
    'tsconfig.json': tsconfig,
    'src/index.ts': "import express from 'express'\n\nconst app = express()\n",
  })
  expect(planInit(folder).advice?.includes('nodenext') ?? false).toBe(isGiven)
})
