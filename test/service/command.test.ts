import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readArguments } from '../../packages/service/src/start/read-arguments.ts'

const folder = fileURLToPath(new URL('../../packages/service/', import.meta.url))
const { bin, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Runs the command in an empty folder, and stops it once it serves. */
function run(args: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'trestle-command-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [join(folder, bin['trestle-service']), ...args], { cwd, env })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
    if (err.includes('listens at')) child.kill('SIGTERM')
  })
  return new Promise<{ status: number | null; out: string; err: string; files: string[] }>((resolve) =>
    child.on('close', (status) => resolve({ status, out, err, files: readdirSync(cwd) })),
  )
}

test('the package has one command, named like the package, so that npx finds it', () => {
  expect(Object.keys(bin)).toEqual(['trestle-service'])
  const [line] = /^npx .*$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  expect(line).toBe(`npx ${name}`)
})

test('starts the service without an argument', async () => {
  const { status, err } = await run([])
  expect(err).toMatch(/Development: secret key sk_\w+.*\n[\s\S]*listens at http:\/\/127\.0\.0\.1:\d+/)
  expect(status).toBe(0)
})

test('lists every variable of the documentation in its help', async () => {
  const page = readFileSync(join(folder, '../docs/settings.md'), 'utf8')
  const variables = [...page.matchAll(/^\| `[\w.]+` +\| `([A-Z_]+)` /gm)].map(([, variable = '']) => variable)
  expect(variables.length).toBeGreaterThan(35)
  const { out, ...ended } = await run(['--help'])
  expect(ended).toEqual({ status: 0, err: '', files: [] })
  for (const variable of variables) expect(out).toMatch(new RegExp(`^  ${variable} *(?: |$)`, 'm'))
})

test('exits with 2 for an unknown argument, and does not start the service', async () => {
  const { err, ...ended } = await run(['--port', '8080'])
  expect(err).toContain('Unknown argument "--port"')
  expect(ended).toEqual({ status: 2, out: '', files: [] })
})

test.each([
  [['--help'], 0, /^Usage: npx @trestle\/service/m],
  [['-h'], 0, /SERVICE_DATA_FOLDER/],
  [['--version'], 0, new RegExp(`^${version}\\n$`)],
  [['-v'], 0, new RegExp(`^${version}\\n$`)],
  [['--port', '8080'], 2, /^Unknown argument "--port"\..* PORT=8080/],
  [['start'], 2, /^Unknown argument "start"/],
  [['--help', '--version'], 2, /^Expected at most one argument/],
] as const)('reads the arguments %j as exit status %i with a text', (args, status, text) => {
  expect(readArguments(args)).toEqual({ serves: false, status, output: expect.stringMatching(text) })
})
