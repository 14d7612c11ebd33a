import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moveProject, moveSource } from '@trestle/codemod'
import { createBridge, workflow } from '@trestle/core'
import { Cron } from 'croner'
import ts from 'typescript'
import { describe, expect, onTestFinished, test } from 'vitest'
import { someOf } from '../scope.ts'
import { shapes } from './shapes.ts'

const version = '0.1.0'
const bin = fileURLToPath(new URL('../../packages/codemod/dist/bin.js', import.meta.url))
const manifest = fileURLToPath(new URL('../../packages/codemod/package.json', import.meta.url))

/** Writes files into a folder below this one, where the packages can be resolved. */
function write(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(fileURLToPath(new URL('.project-', import.meta.url)))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function compile(files: readonly string[]): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    experimentalDecorators: true,
    types: ['node'],
  }
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, options))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

/** Each starts the command, which takes longer than the migration. */
const byCommand = someOf(shapes, 2)

describe.each(shapes)('$name', (shape) => {
  const { files, after, remarks } = shape
  test('is migrated', () => {
    const folder = write(files)
    const moved = moveProject(folder, { version })
    for (const [path, texts] of Object.entries(after))
      for (const text of texts) expect(readFileSync(join(folder, path), 'utf8')).toContain(text)
    const remarkTexts = moved.flatMap((file) => file.remarks.map(({ text }) => text))
    expect(remarkTexts).toEqual(remarks.map((text) => expect.stringContaining(text)))
    // A second run changes nothing, and only repeats the reports.
    expect(moveProject(folder, { version }).filter(({ isChanged }) => isChanged)).toEqual([])
  })

  test.runIf(byCommand.includes(shape))('is migrated the same way by the command, in its working directory', () => {
    const [folder, other] = [write(files), write(files)]
    moveProject(folder, { version: JSON.parse(readFileSync(manifest, 'utf8')).version })
    const { status, stderr } = spawnSync(process.execPath, [bin], { cwd: other, encoding: 'utf8' })
    expect([status, stderr]).toEqual([remarks.length > 0 ? 1 : 0, ''])
    for (const path of Object.keys(files))
      expect(readFileSync(join(other, path), 'utf8')).toBe(readFileSync(join(folder, path), 'utf8'))
    for (const [path, texts] of Object.entries(after))
      for (const text of texts) expect(readFileSync(join(other, path), 'utf8')).toContain(text)
  })

  test('is not changed by a dry run', () => {
    const folder = write(files)
    expect(moveProject(folder, { version, isDry: true }).length).toBeGreaterThan(0)
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  })
})

test('all projects compile after the migration, except for reported lines', { timeout: 300_000 }, () => {
  const clean = shapes.filter(({ remarks }) =>
    remarks.every((text) => /verbose|NestJS 11|unsigned calls|Mount the bridge/.test(text)),
  )
  expect(clean.length).toBeGreaterThan(5)
  const sources = clean.flatMap(({ files }) => {
    const folder = write(files)
    moveProject(folder, { version })
    return Object.keys(files)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path))
  })
  expect(compile(sources)).toEqual([])
})

describe('cron expression names', () => {
  const names = readFileSync(new URL('cron-names.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' = ') as [name: string, former: string])
  const guide = readFileSync(new URL('../../packages/docs/moving.md', import.meta.url), 'utf8')
  const mode = '5-or-6-parts'

  test('are complete', () => expect(names).toHaveLength(84))

  test.each(names)('%s becomes an expression with the same times, as in the guide', async (name, former) => {
    const source = `import { CronExpression as C } from '@novu/framework'\nexport const a = C.${name}\n`
    const { text, remarks } = moveSource(source, 'a.ts')
    const next = /a = '(.*)'/.exec(text)?.[1] ?? ''
    expect(guide.replaceAll(/ +\|/g, ' |')).toContain(`| \`${name}\` | \`${former}\` | \`${next}\` |`)
    const wait = workflow('wait', async ({ step }) => {
      await step.delay('wait', () => ({ cron: next }))
    })
    const bridge = createBridge({ workflows: [wait], strictAuthentication: false, logger: { warn() {}, error() {} } })
    const request = new Request('http://a/?action=execute&workflowId=wait&stepId=wait', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect((await bridge.fetch(request)).status).toBe(200)
    if (name === 'EVERY_YEAR') return expect([next, remarks.length]).toEqual(['0 0 1 1 *', 1])
    expect(remarks).toEqual([])
    for (const from of ['2026-01-01T00:00:00Z', '2026-02-28T23:59:59Z', '2027-06-15T08:29:30Z']) {
      const runsOf = (expression: string) => new Cron(expression, { mode, timezone: 'UTC' }).nextRuns(5, new Date(from))
      expect(runsOf(next)).toEqual(runsOf(former))
    }
  })

  test.each<[string, string, string]>([
    [
      'a control',
      "import { z } from 'zod'\n",
      'export const times = { EVERY_HOUR: z.nativeEnum(CronExpression).parse(CronExpression.EVERY_HOUR) }',
    ],
    ['a list', '', 'export const times = (CronExpression as Record<string, string>) satisfies object'],
    [
      'a lookup',
      '// A comment.\n',
      "const name: keyof typeof CronExpression = 'EVERY_HOUR'\nexport const times = { [name]: CronExpression[name] }",
    ],
  ])('become an object in the file if their enumeration is used as %s', (_what, start, code) => {
    const source = `${start}import { CronExpression } from '@novu/framework'\n${code}\n`
    const { text, remarks } = moveSource(source, 'a.ts')
    expect(text).not.toContain('framework')
    expect(remarks.map(({ text: words }) => words)).toContainEqual(
      expect.stringContaining('Its expressions are now in this file'),
    )
    return expect(import(join(write({ 'a.ts': text }), 'a.ts'))).resolves.toMatchObject({
      times: { EVERY_HOUR: '0 0-23/1 * * *' },
    })
  })

  test('keep their former expressions in an object, because services have stored them', () => {
    const { text } = moveSource(
      "import { CronExpression } from '@novu/framework'\nexport const all = [CronExpression]\n",
      'a.ts',
    )
    const values = [...text.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, name, expression]) => [name, expression])
    const corrected = new Map([...names, ['EVERY_YEAR', '0 0 1 1 *']] as const)
    expect(new Map(values as [string, string][])).toEqual(corrected)
  })

  test('are reported if they are unknown', () => {
    const source = "import { CronExpression as C } from '@novu/framework'\nexport const a = C.EVERY_BLUE_MOON\n"
    const { remarks } = moveSource(source, 'a.ts')
    expect(remarks.map(({ text }) => text)).toEqual([expect.stringContaining('EVERY_BLUE_MOON is unknown')])
  })
})

test.each([
  ['each severity', 'const a = [S.NONE, S.LOW, S.MEDIUM, S.HIGH]', "const a = ['none', 'low', 'medium', 'high']", []],
  ['an unknown severity', 'const a = S.ODD', 'const a = S.ODD', ['SeverityLevelEnum no longer exists']],
  ['all values', 'const a = Object.keys(S)', 'const a = Object.keys(S)', ['SeverityLevelEnum no longer exists']],
])('severities become strings, or are reported: %s', (_what, before, after, reports) => {
  const { text, remarks } = moveSource(`import { SeverityLevelEnum as S } from '@novu/framework'\n${before}\n`, 'a.ts')
  expect(text).toContain(after)
  expect(remarks.map((one) => one.text)).toEqual(reports.map((one) => expect.stringContaining(one)))
})

const mount = "app.use('/api/novu', serve({ workflows: [] }))"
const byExpress = "import express, { json as parse } from 'express'"

test.each([
  [true, byExpress, `app.use(express.json())\n${mount}`],
  [true, byExpress, `app.use(parse({ limit: '1mb' }))\n${mount}`],
  [true, "const { json } = require('body-parser')", `app.use(json())\n${mount}`],
  [true, "const parser = require('body-parser')", `app.use(parser.json())\n${mount}`],
  [false, byExpress, `${mount}\napp.use(express.json())`],
  [false, byExpress, `app.use('/orders', express.json())\n${mount}`],
  [false, byExpress, `app.use(express.json({ verify: keepRawBody }))\n${mount}`],
  [false, byExpress, `app.use(express.text())\n${mount}`],
  [false, "const parser = 'body-parser'", `app.use(parser.json())\n${mount}`],
])('a JSON parser before the bridge is reported: %s, %s, %s', (isReported, parser, lines) => {
  const { remarks } = moveSource(`${parser}\nimport { serve } from '@novu/framework/express'\n${lines}\n`, 'a.ts')
  expect(remarks.some(({ text }) => text.startsWith('This parser'))).toBe(isReported)
})

test.each([
  ['{\n  "module": "commonjs",\n  "moduleResolution": "node"\n}', 3],
  ['{\n  "module": "CommonJS"\n}', 2],
  ['{ "moduleResolution": "Node10" }', 1],
  ['{ "module": "commonjs", "moduleResolution": "nodenext" }', undefined],
  ['{ "extends": "./base.json", "module": "commonjs" }', undefined],
  ['{ "module": "nodenext" }', undefined],
  ['{ "module": "esnext", "moduleResolution": "bundler" }', undefined],
])('compiler settings that do not find the packages are reported: %s', (compilerOptions, line) => {
  const folder = write({
    'package.json': '{ "dependencies": { "@novu/framework": "2" } }',
    'tsconfig.json': compilerOptions,
  })
  const moved = moveProject(folder, { version }).find(({ path }) => path === 'tsconfig.json')
  expect(moved?.remarks.map((remark) => remark.line)).toEqual(line && [line])
})

test('the command prints changed files and remarks, and sets an exit status', () => {
  const [shape] = shapes
  const folder = write(shape?.files ?? {})
  const { status, stdout } = spawnSync(process.execPath, [bin, folder], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout).toContain(`changed ${join('src', 'server.ts')}`)
  expect(stdout).toMatch(/check .*server\.ts:8: The option "verbose" was removed/)
  expect(spawnSync(process.execPath, [bin, join(folder, 'nowhere')]).status).toBe(2)
  expect(spawnSync(process.execPath, [bin, '--no-such']).status).toBe(2)
  expect(JSON.parse(spawnSync(process.execPath, [bin, folder, '--json'], { encoding: 'utf8' }).stdout)).toEqual([])
})

test('the command changes no file if one is read-only, and names it', () => {
  const files = {
    'package.json': '{ "dependencies": { "@novu/framework": "2" } }',
    'a.ts': "export { workflow } from '@novu/framework'\n",
  }
  const folder = write(files)
  chmodSync(folder, 0o777)
  chmodSync(join(folder, 'a.ts'), 0o666)
  chmodSync(join(folder, 'package.json'), 0o444)
  // The superuser may write every file.
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const { status, stderr } = spawnSync(process.execPath, [bin, folder], { encoding: 'utf8', ...user })
  expect(stderr).toContain(`${join(folder, 'package.json')} cannot be written, so no file was changed. EACCES`)
  expect(stderr).not.toContain('Usage')
  expect(status).toBe(1)
  for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
})

test('reports a file that cannot be read, and does not change it', () => {
  const folder = write({ 'a.ts': "import { workflow } from '@novu/framework'\nconst = 5\n" })
  const [file] = moveProject(folder, { version })
  expect(file).toMatchObject({ path: 'a.ts', isChanged: false })
  expect(file?.remarks[0]?.text).toMatch(/cannot be read/)
})

test.each([
  'const handler = serve({ workflows: [], logger })\nexport { handler as action, handler as loader }\n',
  'export const loader = serve({ workflows: [], logger })\nexport const action = loader\n',
  'const answer = serve({ workflows: [], logger })\nexport const action = answer\nexport const loader = async (route) => answer(route)\n',
])('a migrated Remix route responds: %j', async (text) => {
  const logger = 'const logger = { warn() {}, error() {} }\n'
  const folder = write({ 'api.mjs': `import { serve } from '@novu/framework/remix'\n${logger}${text}` })
  expect(moveProject(folder, { version }).flatMap((file) => file.remarks)).toEqual([])
  const { loader, action } = await import(/* @vite-ignore */ join(folder, 'api.mjs'))
  const bridge = 'http://a/api/novu?action='
  expect((await loader({ request: new Request(`${bridge}health-check`) })).status).toBe(200)
  expect((await action({ request: new Request(`${bridge}execute`, { method: 'POST', body: '{}' }) })).status).toBe(401)
})

test.each<[string, string, readonly string[]]>([
  ['assigned to a result of any type', 'const r: any = { body: "b" }; r.to = phone; return r', ['"to"']],
  ['assigned by Object.assign', 'const r: any = { body: "b" }; Object.assign(r, { icon: 1 }); return r', ['"icon"']],
  ['assigned from elsewhere', 'const r: any = { body: "b" }; Object.assign(r, custom); return r', ['not visible here']],
  ['made by a function of the file', 'return make()', ['"from"']],
  ['made by a function that calls another', 'return twice()', ['not visible here']],
  ['made elsewhere', 'return imported()', ['not visible here']],
  ['all known', 'const r = { body: "b" }; r.body = "c"; other.to = 1; return r', []],
])('finds an unsupported output field that is %s', (_what, body, expectedRemarks) => {
  const source = `import { workflow } from '@novu/framework'
import { imported, custom, phone, other } from './elsewhere'
function make() { return { body: 'b', from: 'me' } }
const twice = () => make()
export const w = workflow('w', async ({ step }) => {
  await step.sms('s', () => { ${body} })
})
`
  const { remarks } = moveSource(source, 'a.ts')
  expect(remarks.map(({ text }) => text)).toEqual(expectedRemarks.map((text) => expect.stringContaining(text)))
})

test('reports a handler that is created in another file', () => {
  const source = `import { workflow } from '@novu/framework'
import { send } from './elsewhere'
export const w = workflow('w', async ({ step }) => { await step.sms('s', send) })
`
  const { remarks } = moveSource(source, 'a.ts')
  expect(remarks.map(({ line, text }) => [line, text])).toEqual([[3, expect.stringContaining('only takes: body.')]])
})
