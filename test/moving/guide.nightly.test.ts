import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveSmtp } from '../../packages/service/src/channels/email/smtp-server.fixture.ts'
import { findFreePort } from '../free-port.ts'
import { pack } from '../packages/pack.ts'
import { packages, root } from '../repository.ts'

// Follows the commands of the migration guide with an app written for the legacy package.

const guide = readFileSync(join(root, 'packages/docs/moving.md'), 'utf8')
const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

const manifest = {
  name: 'shop',
  private: true,
  type: 'module',
  scripts: { dev: 'tsx --env-file=.env src/server.ts' },
  dependencies: {
    '@novu/framework': '^2.13.0',
    express: '5.3.0',
    zod: '3.25.76',
    'zod-to-json-schema': '3.25.2',
  },
  devDependencies: { '@types/express': '5.0.6', '@types/node': '20.19.25', tsx: '4.23.15', typescript: '6.0.3' },
}

const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
}

const server = `import { serve } from '@novu/framework/express'
import express from 'express'
import { welcome } from './workflows.js'

const app = express()
app.use(express.json())
app.use('/api/novu', serve({ workflows: [welcome] }))
app.listen(Number(process.env.PORT))
`

const workflows = `import { workflow } from '@novu/framework'
import { z } from 'zod'

export const welcome = workflow(
  'welcome',
  async ({ step, payload }) => {
    await step.inApp('inbox', async () => ({ body: \`Welcome, \${payload.name}\` }))
    await step.delay('wait', async () => ({ unit: 'days', amount: 1 }))
    await step.email(
      'mail',
      async (controls) => ({ subject: controls.subject, body: \`<p>Good to have you here, \${payload.name}.</p>\` }),
      { controlSchema: z.object({ subject: z.string().default('Welcome, {{payload.name}}') }) },
    )
  },
  { payloadSchema: z.object({ name: z.string() }) },
)
`

/** Returns a command of the guide, which must contain it. */
function command(start: string): string {
  const line = guide.split('\n').find((text) => text.startsWith(start))
  if (line === undefined) throw new Error(`The guide has no command "${start}".`)
  return line
}

async function writeApp(): Promise<{ readonly folder: string; readonly port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  mkdirSync(join(folder, 'src'))
  const files = {
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    '.env': `NOVU_SECRET_KEY=${key}\nPORT=${port}\n`,
    'src/server.ts': server,
    'src/workflows.ts': workflows,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { folder, port }
}

/** Mounts the bridge before the body parser, as the codemod asks. */
function moveBridgeUp(path: string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  const [parser = ''] = lines.splice(lines.indexOf('app.use(express.json())'), 1)
  lines.splice(lines.findIndex((line) => line.includes('serve({')) + 1, 0, parser)
  writeFileSync(path, lines.join('\n'))
}

/** Before they are published, the packages are tarballs: replaces the versions that the codemod wrote. */
async function useTarballs(folder: string): Promise<void> {
  const tarballs = mkdtempSync(join(tmpdir(), 'trestle-tarballs-'))
  onTestFinished(() => rmSync(tarballs, { recursive: true, force: true }))
  const overrides = Object.fromEntries(
    [...(await pack(packages, tarballs))].map(([name, { path }]) => [name, `file:${path}`]),
  )
  const path = join(folder, 'package.json')
  const written = JSON.parse(readFileSync(path, 'utf8')) as typeof manifest
  const names = Object.keys(written.dependencies)
  expect(names).toEqual(expect.arrayContaining(['@trestle/core', '@trestle/express']))
  expect(names).not.toContain('@novu/framework')
  const dependencies = Object.fromEntries(
    Object.entries(written.dependencies).map(([name, version]) => [name, overrides[name] ?? version]),
  )
  const devDependencies = { ...written.devDependencies, '@trestle/cli': overrides['@trestle/cli'] }
  writeFileSync(path, JSON.stringify({ ...written, dependencies, devDependencies, overrides }))
}

test('the guide leads from an app for the legacy package to a mail', { timeout: 600_000 }, async () => {
  const { folder } = await writeApp()
  const env = { PATH: process.env['PATH'], HOME: folder } as unknown as NodeJS.ProcessEnv
  const run = async (line: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', line], { cwd: folder, env }).catch((error) => {
      throw new Error(`${line}\n${error.stdout}${error.stderr}`)
    })
    return stdout
  }

  expect(command('npx @trestle/codemod')).toBe('npx @trestle/codemod')
  await expect(run(`node ${join(root, 'packages/codemod/dist/bin.js')}`)).rejects.toThrow(
    /check src\/server\.ts:6: .*Mount the bridge before it/,
  )
  moveBridgeUp(join(folder, 'src/server.ts'))
  expect(readFileSync(join(folder, '.env'), 'utf8')).toContain(`SERVICE_SECRET_KEY=${key}`)
  await useTarballs(folder)
  await run(`${command('npm install')} --prefer-offline --no-audit --no-fund --ignore-scripts`)
  await run(command('npx tsc'))

  const api = `http://127.0.0.1:${await findFreePort()}`
  const dev = startDev(`${command('npx trestle dev')} --port ${new URL(api).port}`, folder, env)
  await vi.waitFor(() => expect(dev.output()).toMatch(/welcome +inbox in_app/), 120_000)
  expect(dev.output()).toContain(key)

  const trigger = command('npx trestle trigger')
  expect(await run(trigger)).toMatch(/mail +completed +Message kept in the outbox/)
  const call = (path: string, body?: object) =>
    fetch(`${api}${path}`, {
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const mail = { recipient: 'ada@example.com', content: { subject: 'Welcome, Ada' } }
  expect(await (await call('/v1/studio/outbox')).json()).toMatchObject({ data: [mail] })

  const { port, received } = await serveSmtp()
  const credentials = { host: '127.0.0.1', port: String(port), from: 'shop@example.com', senderName: 'Shop' }
  const integration = { providerId: 'nodemailer', channel: 'email', name: 'SMTP', active: true, credentials }
  expect((await call('/v1/integrations', integration)).status).toBe(201)
  await run(trigger)
  expect(received).toMatchObject([{ to: ['ada@example.com'], source: expect.stringContaining('Welcome, Ada') }])
})

function startDev(line: string, cwd: string, env: NodeJS.ProcessEnv): { readonly output: () => string } {
  const child: ChildProcess = spawn('sh', ['-ec', `exec ${line}`], { cwd, env, detached: true })
  onTestFinished(() => void process.kill(-Number(child.pid), 'SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  return { output: () => output }
}
