import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packages, root } from '../repository.ts'
import { isNightly } from '../scope.ts'
import { pack, type Tarball } from './pack.ts'

/**
 * The daily run packs the core with its dependencies, two adapters and the mail server; the nightly run packs
 * everything.
 */
const daily = ['protocol', 'api-client', 'core', 'express', 'hono', 'inbound-mail', 'worker-pool']
const chosen = packages.filter(({ folder }) => isNightly || daily.includes(folder))

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-pack-')))
let tarballs: ReadonlyMap<string, Tarball> = new Map()

beforeAll(async () => {
  tarballs = await pack(chosen, folder)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns whether the value of an environment variable would be a secret if found in a file. */
const isSecret = ([name, value = '']: [string, string | undefined]): boolean =>
  /token|secret|password|passwd|apikey|api_key|auth|credential/i.test(name) &&
  value.length >= 12 &&
  !value.includes('/')

const registryHost = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()).host

/** Content that must not be in a published package. */
const forbidden: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'the registry of this machine', pattern: new RegExp(escaped(registryHost), 'g') },
  {
    what: 'a registry',
    pattern: /\b(?:registry|npm|artifactory|nexus|verdaccio)[\w-]*\.(?!example\.com)[\w.-]+\.[a-z]{2,}\b(?=[/:])/g,
  },
  {
    what: 'a path',
    pattern: new RegExp(
      [root, homedir(), tmpdir()].map((path) => `${escaped(path.replace(/\/$/, ''))}/`).join('|'),
      'g',
    ),
  },
  { what: 'a path', pattern: /(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)[a-z]\w+/g },
  {
    what: 'a key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:npm_(?!config_)|ghp_|github_pat_|sk_live_|AKIA)\w{12,}/g,
  },
  ...Object.entries(process.env)
    .filter(isSecret)
    .map(([name, value = '']) => ({ what: `the value of ${name}`, pattern: new RegExp(escaped(value), 'g') })),
]

describe.each(chosen)('the tarball of $folder', ({ folder: folderName, file }) => {
  test('contains the build, a README, a changelog, the license, and nothing else', () => {
    const files = tarballs.get(file.name)?.files ?? []
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']))
    const data = file.files
      .filter((name) => !['dist', '!dist/**/*.map', 'README.md', 'CHANGELOG.md'].includes(name))
      .map((name) => `${name}/`)
    const built =
      /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+\.(js|d\.ts)|dist\/(errors|docs)\.json|dist\/inbox\.css|dist\/app\/.+\.(html|css|svg|woff2|json))$/
    expect(files.filter((path) => !built.test(path) && !data.some((name) => path.startsWith(name)))).toEqual([])
    expect(files.filter((path) => /\.(test|fixture)\./.test(path))).toEqual([])
  })

  test('contains no registry address, machine path or secret', async () => {
    const findings = (tarballs.get(file.name)?.files ?? []).flatMap((path) => {
      const text = readFileSync(join(root, 'packages', folderName, path), 'utf8')
      return forbidden.flatMap(({ what, pattern }) =>
        [...text.matchAll(pattern)].map(([match]) => `${path}: ${what}: ${match.slice(0, 60)}`),
      )
    })
    expect(findings).toEqual([])
  })

  test('contains no source map references, because none are published', () => {
    const scripts = (tarballs.get(file.name)?.files ?? []).filter((path) => path.endsWith('.js'))
    const texts = scripts.map((path) => [path, readFileSync(join(root, 'packages', folderName, path), 'utf8')] as const)
    expect(texts.filter(([, text]) => /^\/\/# sourceMappingURL=/m.test(text)).map(([path]) => path)).toEqual([])
  })

  test('passes publint', async () => {
    const bytes = readFileSync(tarballs.get(file.name)?.path ?? '')
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true, level: 'warning' })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('has types that resolve and match its code', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarballs.get(file.name)?.path ?? '')))
    if (!result.types) throw new Error('The package has no types.')
    const wrong = result.problems.filter((problem) => {
      // The packages are ESM only: older TypeScript versions do not find them, and CommonJS must support requiring ESM.
      const { kind, resolutionKind, entrypoint } = { resolutionKind: '', entrypoint: '', ...problem }
      if (entrypoint.endsWith('.css')) return false
      return !(resolutionKind === 'node10' || (resolutionKind === 'node16-cjs' && kind === 'CJSResolvesToESM'))
    })
    expect(wrong).toEqual([])
    expect(Object.keys(result.entrypoints).sort()).toEqual(Object.keys(file.exports).sort())
  })
})

/** Installs the packages of the daily run in an empty folder, and runs a script there. */
async function runScript(name: string, script: string): Promise<readonly [stdout: string, stderr: string]> {
  const modules = join(folder, name, 'node_modules')
  for (const name of daily) {
    const target = join(modules, '@trestle', name)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', tarballs.get(`@trestle/${name}`)?.path ?? '', '-C', target, '--strip-components=1'])
    const { dependencies = {}, peerDependencies = {} } = packages.find((one) => one.folder === name)?.file ?? {}
    const others = Object.keys({ ...dependencies, ...peerDependencies })
    for (const other of others.filter((one) => !one.startsWith('@trestle/') && !existsSync(join(modules, one)))) {
      mkdirSync(dirname(join(modules, other)), { recursive: true })
      symlinkSync(join(root, 'node_modules', other), join(modules, other))
    }
  }
  writeFileSync(join(folder, name, 'script.mjs'), script)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['script.mjs'], {
    cwd: join(folder, name),
    env: { ...process.env, SERVICE_SECRET_KEY: 'secret' },
  })
  return [stdout.trim(), stderr]
}

test('the core and an adapter run from their tarballs alone', async () => {
  const script = `import { workflow } from '@trestle/core'
import { serve as serveExpress } from '@trestle/express'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
const workflows = [workflow('w', async () => undefined)]
const reply = await new Hono().all('/', serve({ workflows })).request('/')
console.log(typeof serveExpress({ workflows }), reply.status, (await reply.json()).status)`
  expect(await runScript('app', script)).toEqual(['function 200 ok', ''])
})

test('the mail server reads an email when it runs from its tarball alone', async () => {
  const script = `import { once } from 'node:events'
import { connect } from 'node:net'
import { startMailServer } from '@trestle/inbound-mail'
const server = await startMailServer({
  port: 0, host: '127.0.0.1', hostName: 'mx.service.test', maxMessageBytes: 100_000, onError: console.error,
  findRecords: async (name) => { throw Object.assign(new Error(name), { code: 'ENOTFOUND' }) },
  onRecipient: async () => undefined,
  onMail: async ({ subject, authentication }) => void console.log(subject, authentication.verdict),
})
const socket = connect(server.port, '127.0.0.1')
const mail = 'From: a@b.test\\r\\nSubject: Hello\\r\\n\\r\\nx\\r\\n.'
for (const line of ['HELO b.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA', mail, 'QUIT']) {
  await once(socket, 'data')
  socket.write(line + '\\r\\n')
}
await once(socket, 'close')
await server.stop()`
  expect(await runScript('mail', script)).toEqual(['Hello none', ''])
})
