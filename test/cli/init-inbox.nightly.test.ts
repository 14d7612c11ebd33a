import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { findFreePort } from '../free-port.ts'
import { pack } from '../packages/pack.ts'
import { packages } from '../repository.ts'

const base = mkdtempSync(join(tmpdir(), 'trestle-init-inbox-'))
const bin = (name: string): string => join(base, 'node_modules/.bin', name)
const env = {
  ...{ PATH: process.env['PATH'], HOME: tmpdir(), DO_NOT_TRACK: '1', NEXT_TELEMETRY_DISABLED: '1' },
} as unknown as NodeJS.ProcessEnv

/** Installs everything once, in a folder above all test apps. */
beforeAll(async () => {
  const own = Object.fromEntries([...(await pack(packages, base))].map(([name, { path }]) => [name, `file:${path}`]))
  const others = {
    '@types/node': '20.19.25',
    '@types/react': '19.3.0',
    '@types/react-dom': '19.3.0',
    '@vitejs/plugin-react': '6.3.0',
    next: '16.4.6',
    react: '19.3.1',
    'react-dom': '19.3.1',
    typescript: '6.0.3',
    vite: '8.3.8',
    zod: '4.6.7',
  }
  const manifest = { private: true, dependencies: { ...own, ...others }, overrides: own }
  writeFileSync(join(base, 'package.json'), JSON.stringify(manifest))
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  await promisify(execFile)('npm', install, { cwd: base })
}, 300_000)
// On a slow disk, removing the frameworks takes a long time.
afterAll(() => rmSync(base, { recursive: true, force: true }), 300_000)

async function run(cwd: string, name: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(bin(name), [...args], { cwd, env, timeout: 150_000 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${name} ${args.join(' ')}: ${error.stdout}${error.stderr}`)
    },
  )
}

function write(app: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(base, app, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return join(base, app)
}

/** Starts an app under `trestle dev`, and returns a function that calls the service. */
async function startDev(cwd: string, port: number, command: string) {
  const [servicePort, key] = [await findFreePort(), 'sk_0123456789abcdef0123456789abcdef']
  const argv = ['dev', '--port', String(servicePort), '--key', key, '--bridge', String(port), '--run', command]
  const child = spawn(bin('trestle'), argv, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  return async (method: string, path: string, body?: object): Promise<number | undefined> => {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await fetch(`http://127.0.0.1:${servicePort}${path}`, sent).catch(() => undefined))?.status
  }
}

/** Opens an app's page, and checks that its bell shows changes in the service. */
async function seeBell(context: TestContext, port: number, send: () => Promise<number | undefined>): Promise<void> {
  const browser = await startChromium(context)
  onTestFinished(() => browser.close())
  await expect.poll(send, { timeout: 120_000, interval: 300 }).toBe(201)
  const page = await browser.newPage()
  await expect
    .poll(() => page.goto(`http://localhost:${port}/`).catch(() => undefined), { timeout: 60_000 })
    .toBeTruthy()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click({ timeout: 30_000 })
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByText('Welcome, Ada').first().waitFor()
  // Checks the styles: without them, the popover is in the page flow.
  expect(await dialog.evaluate((element) => getComputedStyle(element).position)).not.toBe('static')
  expect(await send()).toBe(201)
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor({ timeout: 30_000 })
}

const trigger = { name: 'welcome', to: 'ada', payload: { name: 'Ada' } }

test('adds an inbox to a Next app, which builds and serves it, and keeps the key on the server', {
  timeout: 400_000,
}, async (context) => {
  const app = write('next-app', {
    'package.json': JSON.stringify({ dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' } }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ strict: true, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
        ...{ noEmit: true, isolatedModules: true, esModuleInterop: true, resolveJsonModule: true, types: ['node'] },
        ...{ target: 'es2022', lib: ['dom', 'esnext'], plugins: [{ name: 'next' }] },
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx'],
    }),
    'app/layout.tsx':
      'import type { ReactNode } from "react"\nexport default function Layout({ children }: { children: ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n',
    'app/page.tsx':
      'import { InboxBell } from "../inbox/inbox-bell"\nexport default function Page() {\n  return <InboxBell subscriberId="ada" />\n}\n',
  })
  await run(app, 'trestle', 'init', '--yes', '--no-install')
  await run(app, 'trestle', 'init', '--inbox', '--yes', '--no-install')
  await run(app, 'next', 'build')
  const port = await findFreePort()
  const call = await startDev(app, port, `next start -p ${port}`)
  await seeBell(context, port, () => call('POST', '/v1/events/trigger', trigger))
  const html = await (await fetch(`http://localhost:${port}/`)).text()
  expect(html).toMatch(/[0-9a-f]{64}/)
  expect(html).not.toContain('sk_0123456789abcdef')
})

test('adds an inbox to a Vite app with React, which builds and serves it', { timeout: 300_000 }, async (context) => {
  const app = write('vite-app', {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { react: '19.3.1', 'react-dom': '19.3.1' },
      devDependencies: { vite: '8.3.8', '@vitejs/plugin-react': '6.3.0' },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ strict: true, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
        ...{ noEmit: true, target: 'es2023', lib: ['dom', 'es2023'], types: ['vite/client'] },
      },
      include: ['src'],
    }),
    'vite.config.ts':
      "import react from '@vitejs/plugin-react'\nimport { defineConfig } from 'vite'\nexport default defineConfig({ plugins: [react()] })\n",
    'index.html':
      '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
    'src/main.tsx':
      "import { createRoot } from 'react-dom/client'\nimport App from './App'\ncreateRoot(document.getElementById('root')!).render(<App />)\n",
    'src/App.tsx':
      'import { InboxBell } from \'./inbox/inbox-bell\'\nexport default function App() {\n  return <InboxBell subscriberId="ada" />\n}\n',
  })
  await run(app, 'trestle', 'init', '--inbox', '--yes', '--no-install')
  await run(app, 'tsc', '-p', '.')
  const port = await findFreePort()
  // As in the development server, the page uses the process's environment variables.
  const call = await startDev(app, port, `vite build && vite preview --port ${port} --strictPort`)
  const workflow = {
    ...{ name: 'Welcome', workflowId: 'welcome', active: true },
    steps: [{ name: 'tell', type: 'in_app', controlValues: { body: 'Welcome, {{ payload.name }}' } }],
  }
  await expect.poll(() => call('POST', '/v2/workflows', workflow), { timeout: 60_000 }).toBe(201)
  await seeBell(context, port, () => call('POST', '/v1/events/trigger', trigger))
})
