import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { packages, root } from '../repository.ts'
import { trestle } from './trestle.ts'

const run = promisify(execFile)
const base = mkdtempSync(join(tmpdir(), 'trestle-init-'))
const bin = join(base, 'node_modules/.bin/trestle')

interface Packed {
  readonly name: string
  readonly filename: string
}

/** Packs everything and installs it once, with the frameworks, in a folder above all apps of the tests. */
beforeAll(async () => {
  const places = packages.map(({ path }) => path)
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', base, ...places], {
    cwd: root,
  })
  // npm 10 prints a list, npm 11 an object by name.
  const packed: readonly Packed[] = Object.values(JSON.parse(stdout) as Record<string, Packed>)
  const own = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${join(base, filename)}`]))
  const others = {
    '@hono/node-server': '2.1.8',
    '@types/node': '20.19.25',
    express: '5.3.0',
    hono: '4.13.19',
    next: '16.4.6',
    react: '19.3.1',
    'react-dom': '19.3.1',
    tsx: '4.23.15',
    typescript: '6.0.3',
    zod: '4.6.7',
  }
  writeFileSync(
    join(base, 'package.json'),
    JSON.stringify({ private: true, dependencies: { ...own, ...others }, overrides: own }),
  )
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: base })
}, 300_000)
afterAll(() => rmSync(base, { recursive: true, force: true }), 60_000)

const quiet = { DO_NOT_TRACK: '1', NEXT_TELEMETRY_DISABLED: '1' }

/** Runs the installed command in the folder of an app. */
async function installed(argv: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const options = {
    cwd,
    env: { PATH: process.env['PATH'], HOME: tmpdir(), ...quiet, ...env } as unknown as NodeJS.ProcessEnv,
    timeout: 150_000,
  }
  return run(bin, [...argv], options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
}

/** Starts the app and the service, and runs its first workflow. */
async function tryOut(app: string, start: string): Promise<unknown> {
  const port = await findFreePort()
  const argv = [
    'dev',
    '--once',
    '--json',
    '--wait',
    '120',
    '--bridge',
    String(port),
    '--run',
    start.replace('PORT', String(port)),
  ]
  const { stdout } = await installed([...argv, '--trigger', 'welcome', '--payload', '{"name":"Ada"}'], app, {
    PORT: String(port),
  })
  return JSON.parse(stdout)
}

const works = { workflows: ['welcome'], warnings: [], run: { runs: [{ status: 'completed' }] } }
const write = (app: string, files: Record<string, string>): string => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(base, app, name, '..'), { recursive: true })
    writeFileSync(join(base, app, name), text)
  }
  return join(base, app)
}

describe('trestle init', () => {
  test('creates an app that runs and type-checks', async () => {
    const { stdout } = await installed(['init', 'fresh', '--yes', '--no-install'], base)
    expect(stdout).toContain('npm run dev')
    const app = join(base, 'fresh')
    expect(await tryOut(app, 'npx tsx src/server.ts')).toMatchObject(works)
    await run('npm', ['run', 'check'], { cwd: app })
    await run('npm', ['run', 'build'], { cwd: app })
    expect(await tryOut(app, 'npm start')).toMatchObject(works)
  }, 180_000)

  test('creates an app whose start script enforces signed calls, in every shell', async () => {
    await installed(['init', 'closed', '--yes', '--no-install'], base)
    const app = join(base, 'closed')
    await run('npm', ['run', 'build'], { cwd: app })
    const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as { scripts: { start: string } }
    // A program and its arguments, without syntax that differs between shells.
    expect(scripts.start).toMatch(/^node [\w./=-]+( [\w./-]+)*$/)
    const [program = '', ...args] = scripts.start.split(' ')
    const port = await findFreePort()
    const env = { PATH: process.env['PATH'], PORT: String(port), SERVICE_SECRET_KEY: 'sk_0123456789abcdef' }
    const child = spawn(program, args, { cwd: app, env: env as unknown as NodeJS.ProcessEnv, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const look = async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/api/bridge?action=discover`).catch(() => undefined)
      return reply?.status
    }
    await expect.poll(look, { timeout: 60_000 }).toBe(401)
  }, 180_000)

  test('adds a running, healthy bridge to a CommonJS Express app that parses bodies', async () => {
    const app = write('old-express', {
      'package.json': JSON.stringify({ name: 'old', dependencies: { express: '5.3.0' } }),
      'index.js':
        "const express = require('express')\n\nconst app = express()\napp.use(express.json())\napp.get('/', (_request, response) => response.send('mine'))\napp.listen(process.env.PORT)\n",
    })
    await installed(['init', '--yes', '--no-install'], app)
    expect(readFileSync(join(app, 'index.js'), 'utf8')).toContain("response.send('mine')")
    expect(await tryOut(app, 'node index.js')).toMatchObject(works)
  }, 180_000)

  test('adds a bridge to a TypeScript Hono app', async () => {
    const app = write('hono-app', {
      'package.json': JSON.stringify({
        name: 'api',
        type: 'module',
        dependencies: { hono: '4.13.19', '@hono/node-server': '2.1.8' },
      }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          noEmit: true,
          strict: true,
          skipLibCheck: true,
          types: ['node'],
        },
      }),
      'src/index.ts':
        "import { serve as listen } from '@hono/node-server'\nimport { Hono } from 'hono'\n\nconst app = new Hono()\napp.get('/', (context) => context.text('mine'))\nlisten({ fetch: app.fetch, port: Number(process.env['PORT']) })\n",
    })
    await installed(['init', '--yes', '--no-install'], app)
    await run(join(base, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: app })
    expect(await tryOut(app, 'tsx src/index.ts')).toMatchObject(works)
    const again = await installed(['init', '--yes', '--no-install'], app)
    expect(again.stdout).toContain('already has a bridge')
  }, 180_000)

  test('adds a bridge to a Next app', async () => {
    const app = write('next-app', {
      'package.json': JSON.stringify({
        name: 'site',
        dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
      }),
      'app/layout.js':
        'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n',
      'app/page.js': 'export default function Page() {\n  return <p>mine</p>\n}\n',
    })
    await installed(['init', '--yes', '--no-install'], app)
    expect(existsSync(join(app, 'app/api/bridge/route.js'))).toBe(true)
    expect(await tryOut(app, 'next dev -p PORT -H 127.0.0.1')).toMatchObject(works)
  }, 240_000)

  test('asks no questions without a terminal, and changes nothing with --dry-run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-empty-'))
    const asked = await trestle(['init'], { cwd: folder })
    expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining('--yes')])
    const { stdout, status } = await trestle(['init', '--dry-run', '--json'], { cwd: folder })
    expect(JSON.parse(stdout)).toMatchObject({
      framework: 'new',
      files: expect.arrayContaining([{ path: 'src/server.ts', change: 'new' }]),
    })
    expect([status, existsSync(join(folder, 'package.json'))]).toEqual([0, false])
    rmSync(folder, { recursive: true })
  })
})
