import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '../../packages/bridge-client/fixtures/certificate.ts'
import { listen } from './listen.ts'
import { trestle, trestleProcess } from './trestle.ts'

const commands = ['dev', 'sync', 'doctor', 'trigger', 'init', 'types', 'diff', 'preview', 'replay', 'tunnel']
const nowhere = 'http://127.0.0.1:1/api/bridge'

describe('the command', () => {
  test('lists all commands, and exits with 0 for --help and 2 without arguments', async () => {
    const [help, nothing] = await Promise.all([trestleProcess(['--help']), trestleProcess([])])
    for (const name of commands) expect(help.stdout).toContain(`  ${name} `)
    expect([help.status, nothing.status]).toEqual([0, 2])
    expect(help.stdout).toBe(nothing.stdout)
  })

  test.each(commands)('explains %s: options, examples, exit status', async (name) => {
    const [help, option] = await Promise.all([trestle(['help', name]), trestle([name, '--help'])])
    expect(help).toEqual(option)
    expect(help.status).toBe(0)
    for (const part of [`trestle ${name}`, 'Options', 'Examples', 'Exit status', '--json', '--help'])
      expect(help.stdout).toContain(part)
    expect(help.stdout.split('\n').every((line) => line.length <= 160)).toBe(true)
  })

  test('prints its version', async () => {
    expect((await trestleProcess(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test.each([
    [['dcotor'], 'Did you mean trestle doctor?'],
    [['--halp'], 'Unknown option --halp'],
    [['doctor', '--jsno'], 'Did you mean --json?'],
    [['doctor', '-x'], 'Unknown option -x'],
    [['doctor', '--key'], 'needs a value'],
    [['doctor', '--key', '--production'], 'needs a value'],
    [['doctor', '--json=yes'], 'takes no value'],
    [['doctor', '--production', '--production'], 'is given twice'],
    [['doctor', 'a', 'b'], 'does not take "b"'],
    [['doctor', '--timeout', 'soon'], '--timeout must be an integer'],
    [['doctor', '--allow', '10.0.0.0/99'], '--allow: "10.0.0.0/99" is not an address range'],
    [['trigger'], 'needs more'],
    [['trigger', 'w'], 'needs --to'],
    [['trigger', 'w', '--to', 'a', '--payload', '[1]'], 'must be a JSON object'],
    [['trigger', 'w', '--to', 'a', '--payload', '{'], 'is not valid JSON'],
    [['trigger', 'w', '--to', 'a', '--payload', '@none.json'], 'cannot be read'],
    [['trigger', 'w', '--to', 'a', '--skip-waits'], 'needs --follow'],
    [['trigger', 'w', '--to', 'a'], 'No secret key found'],
    [['dev', '--port', '70000'], 'from 0 to 65535'],
    [['dev', '--port', '-1'], 'from 0 to 65535'],
    [['trigger', 'w', '--to', '{ada}'], '--to is not valid JSON'],
    [['trigger', 'w', '--to', '{}', '--email', 'ada@example.com'], '--email needs a subscriber id'],
    [['dev', '--trigger', 'w'], 'needs --once'],
    [['dev', '--once', '--to', 'ada'], '--to needs --trigger'],
    [['dev', '--once', '--trigger', 'w', '--to', '{ada}'], '--to is not valid JSON'],
    [['dev', '--once', '--trigger', 'w', '--payload', '@none.json'], 'cannot be read'],
    [['mcp', '--key', 'k'], '--key needs --api'],
    [['init', '--framework', 'koa'], 'it is "koa"'],
    [['dev', '--bridge', 'https://app.example.com/api/bridge'], '--tunnel https://app.example.com/api/bridge'],
    [['dev', '--key', 'short'], 'has the wrong length'],
    [['dev', '--allow-host', 'https://my-tunnel.example.com/'], 'such as my-tunnel.example.com'],
    [['dev', '--allow-host', 'a.example,'], 'such as my-tunnel.example.com'],
    [['diff', '--bridge', 'ftp://a'], 'is not an http or https address'],
    [['diff', '--write', '--against', nowhere], 'exclude each other'],
    [['types', '--api', 'http://a', '--bridge', nowhere], 'exclude each other'],
    [['preview'], 'Choose what to preview'],
    [['preview', '--all', 'w'], 'Choose what to preview'],
    [['preview', '--all', '--compare', 'main'], '--compare excludes --all'],
    [['preview', '--all', '--run', 'npm start'], '--run and --wait need --compare'],
    [['preview', '--compare', 'main'], '--compare needs --run'],
    [['replay'], 'Choose what to replay'],
    [['replay', 'run', '--last', '3'], 'Choose what to replay'],
    [['replay', 'run', '--workflow', 'w'], '--workflow needs --last'],
    [['replay', '--last', '0'], '--last must be an integer from 1'],
    [['replay', 'run', '--report', '.'], '--report names the file'],
    [['types', '--out', '.'], '--out names the file'],
    [['preview', '--compare', 'main', '--run', 'x', '--out', '/dev/null/x'], '--out names the file'],
    [['init', '--framework', 'rails'], 'express, hono, next'],
    [['tunnel', '--no-sync', '--program', 'bore', '--bridge', nowhere], 'cloudflared or ngrok'],
    [['help', 'dve'], 'Did you mean trestle dev?'],
  ])('reports the problem of %j, and exits with 2', async (argv, text) => {
    const { status, stdout, stderr } = await trestle(argv)
    expect(stderr).toContain(text)
    expect([status, stdout]).toEqual([2, ''])
  })

  test.each([
    ['diff', ['diff', '--bridge', nowhere]],
    ['types', ['types', '--bridge', nowhere]],
    ['preview', ['preview', '--all', '--bridge', nowhere]],
    ['sync', ['sync', '--bridge', nowhere, '--api', 'http://127.0.0.1:1', '--key', 'sk_of_an_environment']],
  ])('%s exits with 1 and the code as JSON if the address cannot be reached', async (name, argv) => {
    const { status, stdout } = await trestle([...argv, '--json'])
    const { error } = JSON.parse(stdout)
    expect(error.code).toBe(name === 'sync' ? 'ConnectionFailed' : 'ECONNREFUSED')
    expect(error.why).toContain(name === 'sync' ? 'bad port' : '(ECONNREFUSED)')
    expect(error.fix.length).toBeGreaterThan(10)
    expect(status).toBe(1)
  })

  test.each([
    ['a service', 'ConnectionFailed', '(DEPTH_ZERO_SELF_SIGNED_CERT)', (url: string) => ['--api', url]],
    ['a bridge', 'UnknownBridgeNonRequestError', '(ERR_SSL', (url: string) => ['--bridge', url]],
  ])('names the TLS error of %s', async (what, code, reason, toOptions) => {
    const isService = what === 'a service'
    const server = await listen(
      (_request, response) => response.end('{}'),
      isService ? createCertificate('127.0.0.1') : undefined,
    )
    try {
      const options = toOptions(`https://127.0.0.1:${server.port}`)
      const argv = isService ? ['sync', '--bridge', nowhere, '--key', 'sk_of_an_environment'] : ['diff']
      const { stdout } = await trestle([...argv, ...options, '--json'])
      expect(JSON.parse(stdout).error).toMatchObject({ code, why: expect.stringContaining(reason) })
    } finally {
      await server.stop()
    }
  })

  test.each([
    ['preview', 'Choose what to preview'],
    ['dev', '--json needs --once'],
    ['mcp', 'Unknown option --json'],
  ])('also prints usage errors of %s as JSON with --json', async (name, message) => {
    const { status, stdout } = await trestle([name, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'WrongUse', message: expect.stringContaining(message), why: null, fix: null },
    })
    expect(status).toBe(2)
  })

  test('uses colors if FORCE_COLOR is set, and never with NO_COLOR', async () => {
    const argv = ['diff', '--bridge', nowhere]
    const forced = await trestle(argv, { env: { FORCE_COLOR: '1' } })
    const both = await trestle(argv, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    const none = await trestle(argv)
    expect(forced.stderr).toContain('\u001b[31mECONNREFUSED')
    expect(`${both.stderr}${none.stderr}`).not.toContain('\u001b')
  })
})

describe('the configuration file', () => {
  const write = (name: string, text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-config-'))
    writeFileSync(join(folder, name), text)
    return folder
  }

  test.each([
    ['trestle.config.json', `{ "bridge": "${nowhere}" }`],
    ['trestle.config.mjs', `export default { bridge: '${nowhere}' }`],
    ['trestle.config.cjs', `module.exports = {\r\n  bridge: '${nowhere}'\r\n}\r\n`],
  ])('names the bridge: %s', async (name, text) => {
    const { status, stderr } = await trestle(['diff'], { cwd: write(name, text) })
    expect(stderr).toContain('ECONNREFUSED')
    expect(status).toBe(1)
  })

  test('is rejected if a second one exists', async () => {
    const cwd = write('trestle.config.json', '{}')
    writeFileSync(join(cwd, 'trestle.config.mjs'), 'export default {}')
    const { status, stderr } = await trestle(['diff'], { cwd })
    expect(stderr).toContain('Found trestle.config.json and trestle.config.mjs. Keep only one of them.')
    expect(status).toBe(2)
  })

  test.each([
    ['trestle.config.json', '{ "brigde": "a" }', 'Did you mean bridge?'],
    ['trestle.config.json', '{ "port": "80" }', 'must be a number'],
    ['trestle.config.json', '{', 'cannot be read'],
    ['trestle.config.mjs', 'export default 7', 'must have an object as its default export'],
    ['trestle.config.yaml', 'bridge: a', 'trestle.config.yaml is not read. Use one of trestle.config.json, '],
    ['trestle.config.mts', 'export default {}', 'trestle.config.mts is not read.'],
  ])('is rejected if it is invalid: %s %s', async (name, text, said) => {
    const { status, stderr } = await trestle(['diff'], { cwd: write(name, text) })
    expect(stderr).toContain(said)
    expect(status).toBe(2)
  })

  test('can be TypeScript, compiled by the app’s compiler if Node cannot load it', async () => {
    const folder = write('trestle.config.ts', `const bridge: string = '${nowhere}'\nexport default { bridge }\n`)
    const { stderr } = await trestleProcess(['diff'], {
      cwd: folder,
      env: { NODE_PATH: join(import.meta.dirname, '../../node_modules') },
    })
    expect(stderr).toContain('ECONNREFUSED')
    const { stderr: errorText } = await trestleProcess(['diff'], { cwd: folder, env: {} })
    expect(errorText).toMatch(/ECONNREFUSED|does not run TypeScript/)
  })
})

test('reports a URL that is not a notification service, and suggests one', async () => {
  const server = createServer((_request, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const where = 'pass its address with --api URL'
  for (const command of [
    ['sync', '--bridge', nowhere],
    ['trigger', 'w', '--to', 'ada', '--follow'],
  ]) {
    const there = await trestle([...command, '--key', 'k', '--api', `http://127.0.0.1:${port}`])
    expect([there.status, there.stderr], command[0]).toEqual([1, expect.not.stringContaining('SyntaxError')])
    const away = await trestle([...command, '--key', 'k', '--api', 'http://127.0.0.1:1'])
    expect([away.status, away.stderr], command[0]).toEqual([1, expect.stringContaining(where)])
  }
})
