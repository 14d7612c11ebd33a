import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { pack } from '../packages/pack.ts'
import { packages, root } from '../repository.ts'

const guide = readFileSync(join(root, 'packages/docs/in-app.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'trestle-guide-'))
// On a slow disk, removing the frameworks takes a long time.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

/** The commands and files of the guide, in order, by language. */
const blocksOf = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)

const env = {
  ...{ PATH: process.env['PATH'], HOME: folder, DO_NOT_TRACK: '1', NEXT_TELEMETRY_DISABLED: '1' },
  ...{ npm_config_cache: join(folder, 'cache'), npm_config_yes: 'true', npm_config_fund: 'false' },
} as unknown as NodeJS.ProcessEnv

async function run(command: string, cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd, env, timeout: 400_000 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${command}\n${error.stdout}${error.stderr}`)
    },
  )
  return stdout
}

/** Before they are published, the packages are tarballs, which also replace indirect dependencies. */
async function bindToTarballs(app: string): Promise<void> {
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const own = Object.fromEntries(
    [...(await pack(packages, tarballs))].map(([name, { path }]) => [name, `file:${path}`]),
  )
  const path = join(app, 'package.json')
  const file = JSON.parse(readFileSync(path, 'utf8'))
  const needed = ['core', 'next', 'cli', 'inbox'].map((name) => `@trestle/${name}`)
  const dependencies = { ...file.dependencies, ...Object.fromEntries(needed.map((name) => [name, own[name]])) }
  writeFileSync(path, JSON.stringify({ ...file, dependencies, overrides: own }))
  await run('npm install --no-audit --prefer-offline', app)
}

test('the guide leads from an empty folder to a bell with live updates', { timeout: 900_000 }, async (context) => {
  const browser = await startChromium(context)
  onTestFinished(() => browser.close())
  const [create = '', init = '', start = '', send = ''] = blocksOf('sh')
  const [page = ''] = blocksOf('tsx')
  await run(create.replace(/^cd .*$/m, ''), folder)
  const app = join(folder, /^cd (\S+)$/m.exec(create)?.[1] ?? '')
  await bindToTarballs(app)
  await run(init, app)
  const [, path = ''] = /Replace `(app\/\S+)`/.exec(guide) ?? []
  writeFileSync(join(app, path), page)

  const child = spawn('sh', ['-c', start], { cwd: app, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  // npx ends before its command, which may still write.
  onTestFinished(async () => {
    const signal = (one: NodeJS.Signals | 0) => process.kill(-Number(child.pid), one)
    signal('SIGTERM')
    await vi.waitFor(() => expect(() => signal(0)).toThrow('ESRCH'), 30_000)
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  await expect.poll(() => said, { timeout: 120_000 }).toMatch(/welcome .*email/)
  // Next uses another port if the guide's port is in use.
  const [, address = ''] = /Local: +(http:\/\/localhost:\d+)/.exec(said) ?? []
  const tab = await browser.newPage()
  await tab.goto(address, { timeout: 60_000 })
  await tab.getByRole('button', { name: 'Notifications', exact: true }).waitFor({ timeout: 60_000 })
  await run(send, app)
  await tab.getByRole('button', { name: 'Notifications, 1 unread' }).click({ timeout: 60_000 })
  await tab.getByRole('dialog').getByText('Welcome, Ada').waitFor()
})
