import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmptyDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { startChromium } from '../browser/chromium.ts'
import { findFreePort } from '../free-port.ts'
import { pack } from '../packages/pack.ts'
import { packages, root } from '../repository.ts'
import { hasNginx, startNginx } from './nginx.ts'
import { publicHost, temporaryFolder } from './service-command.ts'

const guide = readFileSync(join(root, 'packages/docs/deploy.md'), 'utf8')
const password = 'a long and secret phrase'

/** Returns the first code block after a text of the guide. */
function blockAfter(text: string, language: string): string {
  const [, rest = ''] = guide.split(text)
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(rest) ?? []
  if (block === undefined) throw new Error(`The guide has no ${language} block after "${text}".`)
  return block.replaceAll(/^ {3}/gm, '')
}

/** Replaces a part of a command, which must exist. */
function replace(text: string, part: string | RegExp, by: string): string {
  const result = text.replace(part, () => by)
  expect(result).not.toBe(text)
  return result
}

/** A folder in which the commands of the guide run. */
function createMachine(variables: Readonly<Record<string, string>>) {
  const folder = temporaryFolder()
  let env = { PATH: process.env['PATH'], HOME: folder, ...variables } as unknown as NodeJS.ProcessEnv
  const run = (command: string, cwd = folder): string =>
    execFileSync('sh', ['-ec', command], { cwd, env, encoding: 'utf8', timeout: 400_000 })
  return {
    folder,
    run,
    /** Runs commands that set variables, and keeps the variables for later commands. */
    load(commands: string): void {
      const lines = run(`${commands}\nenv -0`).split('\0').filter(Boolean)
      env = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ) as unknown as NodeJS.ProcessEnv
    },
    /** Starts a command that listens, and returns what it printed until then. */
    async start(command: string, cwd: string): Promise<{ readonly output: string; stop(): Promise<unknown> }> {
      const child: ChildProcess = spawn('sh', ['-ec', command.replace('node ', 'exec node ')], {
        cwd,
        env,
        detached: true,
      })
      const signal = (name: NodeJS.Signals): void => {
        if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), name)
      }
      onTestFinished(() => signal('SIGKILL'))
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          output += chunk
        })
      await vi.waitFor(() => expect(output).toContain('listens at'), 60_000)
      return {
        output,
        async stop() {
          const exited = once(child, 'exit')
          signal('SIGTERM')
          return exited
        },
      }
    },
  }
}

/** Before they are published, the packages are tarballs, which also replace indirect dependencies. */
async function writeManifest(folder: string): Promise<void> {
  const tarballs = temporaryFolder()
  const overrides = Object.fromEntries(
    [...(await pack(packages, tarballs))].map(([name, { path }]) => [name, `file:${path}`]),
  )
  const dependencies = { '@trestle/service': overrides['@trestle/service'] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
}

test.skipIf(!hasNginx && !process.env['CI'])(
  'the guide leads from an empty folder to two processes with accounts, and back from a backup',
  { timeout: 900_000 },
  async (context) => {
    const { address } = await createEmptyDatabase('postgres', context)
    const databaseUrl = address.databaseUrl ?? ''
    const socketFolder = new URL(databaseUrl).searchParams.get('host') ?? ''
    const machine = createMachine({ PGHOST: socketFolder, PGUSER: 'postgres' })
    const app = join(machine.folder, 'notifications')

    const [install = '', settings = '', start = ''] = blockAfter('## From npm', 'sh').split(/\n\n|\n(?=PORT=)/)
    machine.run(replace(install, /&& npm init[\s\S]*/, ''))
    await writeManifest(app)
    machine.run('npm install --no-audit --no-fund --prefer-offline', app)
    machine.load(replace(settings, /postgres:\S+/, databaseUrl))

    const ports = [await findFreePort(), await findFreePort()] as const
    const startAt = (port: number) => machine.start(replace(start, '3737', String(port)), app)
    const first = await startAt(ports[0])
    const second = await startAt(ports[1])
    const [, key = ''] = /Development: secret key (sk_\w+)/.exec(first.output) ?? []
    const [, link = ''] = /(https:\S+)/.exec(first.output.slice(first.output.indexOf('first one'))) ?? []
    expect(new URL(link).host).toBe(publicHost)
    expect(second.output).not.toContain('secret key sk_')

    const proxy = await startNginx(ports, blockAfter('configuration of nginx', 'nginx'))
    writeFileSync(
      join(machine.folder, '.curlrc'),
      `insecure\nsilent\nconnect-to = "${publicHost}:443:127.0.0.1:${proxy}"\n`,
    )
    machine.load(`export SECRET_KEY=${key}`)
    const replacement = JSON.parse(machine.run(blockAfter('replace each one', 'sh'))) as {
      data: readonly { key: string }[]
    }
    const newKey = replacement.data[0]?.key ?? ''
    expect(newKey).toMatch(/^sk_/)
    expect(newKey).not.toBe(key)
    const call = (secretKey: string): string =>
      machine.run(`curl --header "authorization: ApiKey ${secretKey}" https://${publicHost}/v2/workflows`)
    expect(JSON.parse(call(key))).toMatchObject({ statusCode: 401 })
    expect(JSON.parse(call(newKey))).toMatchObject({ workflows: [] })

    const browser = await startChromium(context, [`--host-resolver-rules=MAP ${publicHost}:443 127.0.0.1:${proxy}`])
    onTestFinished(() => browser.close())
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(link)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Password again').fill(password)
    await page.getByRole('button', { name: 'Create the account' }).click()
    const overview = page.getByRole('heading', { level: 1, name: 'Overview' })
    await overview.waitFor()

    // The session does not depend on a process.
    await first.stop()
    await page.reload()
    await overview.waitFor()

    machine.run(blockAfter('or create a dump', 'sh'))
    await page.goto(`https://${publicHost}/studio/env/Development/topics`)
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor()
    await second.stop()
    machine.run('createuser trestle')
    onTestFinished(() => void machine.run('dropdb --force --if-exists trestle_restored; dropuser trestle'))
    machine.load(`export RESTORED_DATABASE_URL="${databaseUrl.replace(/\/\w+\?/, '/trestle_restored?')}"`)
    machine.run(blockAfter('into an empty database', 'sh'))
    machine.load('export DATABASE_URL="$RESTORED_DATABASE_URL"')
    const restored = await startAt(ports[0])
    expect(restored.output).not.toMatch(/secret key sk_|first one/)
    expect(JSON.parse(call(newKey))).toMatchObject({ workflows: [] })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor()
    await restored.stop()
  },
)
