import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { isNightly } from '../scope.ts'
import { startTrestle, trestle } from './trestle.ts'

const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** Writes an app into a folder below this one, where the packages can be resolved. */
function write(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(fileURLToPath(new URL('.app-', import.meta.url)))
  ends.push(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
const packageFile = (rest: object = {}): string =>
  JSON.stringify({ name: 'app', dependencies: { express: '5' }, ...rest })

/** Starts the app, and returns the status of a health check of its bridge. */
async function ask(folder: string, file: string): Promise<number> {
  const port = await findFreePort()
  const app: ChildProcess = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  ends.push(() => app.kill('SIGKILL'))
  let said = ''
  app.stderr?.on('data', (chunk) => {
    said += chunk
  })
  for (let tries = 0; tries < 150 && app.exitCode === null; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/bridge?action=health-check`).catch(() => undefined)
    if (answer) return answer.status
    await sleep(100)
  }
  throw new Error(`The app does not answer. ${said}`)
}

const hidden = "const express = require('express')\nmodule.exports = { app: express() }\n"
/** An unreachable registry. */
const offline = {
  npm_config_registry: 'http://127.0.0.1:1',
  npm_config_fetch_retries: '0',
  npm_config_cache: '/nowhere/at/all',
}

describe('a CommonJS app', () => {
  test.each([
    [
      'requires more below',
      "const express = require('express')\nconst app = express()\nconst path = require('node:path')\napp.get('/', (_, r) => r.send(path.sep))\napp.listen(process.env.PORT)\n",
    ],
    [
      'requires names over several lines, behind a directive',
      "'use strict'\nconst {\n  sep,\n} = require('node:path')\nvar express = require('express'),\n  other = sep\n\nconst app = express()\napp.get('/', (_, r) => r.send(other))\napp.listen(process.env.PORT)\n",
    ],
    [
      'begins with a byte-order mark',
      "\uFEFFconst express = require('express')\nconst app = express()\napp.listen(process.env.PORT)\n",
    ],
  ])('that %s runs with its bridge', async (_what, text) => {
    const folder = write({ 'package.json': `\uFEFF${packageFile()}`, 'index.js': text })
    const { stderr, status } = await trestle(['init', '--yes', '--no-install'], { cwd: folder })
    expect([stderr, status]).toEqual(['', 0])
    expect(await ask(folder, 'index.js')).toBe(200)
    const again = await trestle(['init', '--yes', '--no-install'], { cwd: folder })
    expect(again.stdout).toContain('already has a bridge, in index.js')
  })
})

const app = "const express = require('express')\nconst app = express()\napp.listen(process.env.PORT)\n"

/** Returns the arguments of the trigger that init suggests. */
async function readSuggestedTrigger(folder: string): Promise<readonly string[]> {
  const { stdout } = await trestle(['init', '--yes', '--no-install'], { cwd: folder })
  const [, line = ''] = /trestle (trigger welcome .*)/.exec(stdout) ?? []
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

describe('the trigger that trestle init suggests', () => {
  test('gives the recipient an address for the first email', async () => {
    const argv = await readSuggestedTrigger(write({ 'package.json': packageFile(), 'index.js': app }))
    expect(argv.slice(0, 6)).toEqual(['trigger', 'welcome', '--to', 'ada', '--email', 'ada@example.com'])
  })

  test.runIf(isNightly)('sends the first email to that address', async () => {
    const folder = write({ 'package.json': packageFile(), 'index.js': app })
    const argv = await readSuggestedTrigger(folder)
    const port = String(await findFreePort())
    const run = ['--run', 'node index.js', '--bridge', port]
    const running = startTrestle(['dev', '--port', '0', ...run], { cwd: folder, env: { PORT: port } })
    ends.push(() => running.kill('SIGKILL'))
    await running.until(/1 workflow\n/)
    const { status, stdout, stderr } = await trestle(argv, { cwd: folder })
    expect(status, stdout + stderr).toBe(0)
    const [[, api], [, key]] = [await running.until(/REST API\s+(\S+)/), await running.until(/Secret key\s+(\S+)/)]
    const response = await fetch(`${api}/v1/messages?channel=email`, { headers: { authorization: `ApiKey ${key}` } })
    expect(await response.json()).toMatchObject({ data: [{ email: 'ada@example.com', subject: 'Welcome, Ada' }] })
  })
})

describe('trestle init', () => {
  test('prints the lines to add if the install fails, and again on the next run, with the same workflows', async () => {
    const folder = write({ 'package.json': packageFile(), 'index.js': hidden })
    for (const _ of [1, 2]) {
      const { stdout, stderr, status } = await trestle(['init', '--yes'], { cwd: folder, env: offline })
      expect(stdout).toContain("app.all('/api/bridge', serve({ workflows }))")
      expect(stdout).toContain("require('./workflows.js')")
      expect(stderr).toContain('npm install')
      expect(status).toBe(1)
    }
    expect(existsSync(join(folder, 'notification-workflows.js'))).toBe(false)
    const { stdout } = await trestle(['init', '--yes', '--json'], { cwd: folder, env: offline })
    expect(JSON.parse(stdout).error.fix).toContain("app.all('/api/bridge'")
  }, 120_000)

  test('suggests the package manager of the workspace', async () => {
    const folder = write({
      'pnpm-lock.yaml': '',
      'apps/web/package.json': packageFile(),
      'apps/web/index.js': hidden,
    })
    const { stdout } = await trestle(['init', '--yes', '--no-install'], { cwd: join(folder, 'apps/web') })
    expect(stdout).toContain('pnpm install\n  pnpm run trestle:dev')
    const fresh = await trestle(['init', 'new', '--yes', '--no-install'], { cwd: folder })
    expect(fresh.stdout).toContain('pnpm install\n  pnpm run dev')
  })

  test('shadows neither a workflows folder of a Next app nor a route with another file extension', async () => {
    const app = { 'package.json': JSON.stringify({ dependencies: { next: '16' } }), 'app/page.js': '' }
    const folder = write({ ...app, 'workflows/index.ts': 'mine', 'Notification-Workflows.tsx': 'mine' })
    await trestle(['init', '--yes', '--no-install'], { cwd: folder })
    expect(readFileSync(join(folder, 'app/api/bridge/route.js'), 'utf8')).toContain("'../../../trestle-workflows'")
    const other = write({ ...app, 'app/api/bridge/route.ts': 'mine' })
    const { stderr, status } = await trestle(['init', '--yes', '--no-install'], { cwd: other })
    expect([stderr, status]).toEqual([expect.stringContaining('already exists'), 1])
  })

  test.each(['{ "name": ', '7'])('reports that package.json is invalid: %j', async (text) => {
    const folder = write({ 'package.json': text, 'index.js': hidden })
    const { stderr, status } = await trestle(['init', '--yes', '--no-install'], { cwd: folder })
    expect([stderr, status]).toEqual([expect.stringMatching(/package\.json .*fix it first/), 2])
  })
})

test('an interrupted installation ends together with the command, which says how to continue', async () => {
  const folder = write({ 'bin/npm': '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 60\n' })
  const [installer, pidFile] = [join(folder, 'bin/npm'), join(folder, 'bin/npm.pid')]
  chmodSync(installer, 0o755)
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const running = startTrestle(['init', 'app', '--yes'], { cwd: folder, env })
  ends.push(() => running.kill('SIGKILL'))
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\n$/)
  const { status, stderr } = await running.kill('SIGINT')
  expect(stderr).toMatch(/npm install was interrupted\.[\s\S]*The files were written\. Run npm install again/)
  expect(status).toBe(1)
  expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH')
})

describe('a byte-order mark', () => {
  test('is not treated as part of the key in .env, or of a configuration file', async () => {
    const folder = write({
      '.env': '\uFEFFSERVICE_SECRET_KEY=sk_of_the_file\n',
      'trestle.config.json': '\uFEFF{ "bridge": "http://127.0.0.1:1/api/bridge" }',
    })
    const { stderr, stdout } = await trestle(['doctor'], { cwd: folder })
    expect(stderr).toContain('SERVICE_SECRET_KEY in .env')
    expect(stdout).toContain('ECONNREFUSED')
  })
})

describe('trestle doctor', () => {
  test('accepts the bridge as an option, as its messages suggest, but not twice', async () => {
    const nowhere = 'http://127.0.0.1:1/api/bridge'
    const { stdout, status } = await trestle(['doctor', '--bridge', nowhere])
    expect([stdout, status]).toEqual([expect.stringContaining('ECONNREFUSED'), 1])
    const both = await trestle(['doctor', nowhere, '--bridge', nowhere])
    expect([both.stderr, both.status]).toEqual([expect.stringContaining('are mutually exclusive'), 2])
  })
})
