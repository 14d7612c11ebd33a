import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moveProject, moveSource } from '@trestle/codemod'
import { cron } from '@trestle/core'
import ts from 'typescript'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shapes } from './shapes.ts'

const version = '0.1.0'
const bin = fileURLToPath(new URL('../../packages/codemod/dist/bin.js', import.meta.url))

/** Writes files into a folder below this one, where the packages are found. */
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
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe.each(shapes)('$name', ({ files, after, remarks }) => {
  test('is moved', () => {
    const folder = write(files)
    const moved = moveProject(folder, { version })
    for (const [path, texts] of Object.entries(after))
      for (const text of texts) expect(readFileSync(join(folder, path), 'utf8')).toContain(text)
    const told = moved.flatMap((file) => file.remarks.map(({ text }) => text))
    expect(told).toEqual(remarks.map((text) => expect.stringContaining(text)))
    // Once moved there is nothing left to do but what was remarked on.
    expect(moveProject(folder, { version }).filter(({ isChanged }) => isChanged)).toEqual([])
  })

  test.runIf(remarks.length === 0 || remarks[0]?.includes('verbose'))(
    'compiles when it is moved',
    { timeout: 60_000 },
    () => {
      const folder = write(files)
      moveProject(folder, { version })
      const sources = Object.keys(files).filter((path) => path.endsWith('.ts'))
      expect(compile(sources.map((path) => join(folder, path)))).toEqual([])
    },
  )

  test('is left alone by a dry run', () => {
    const folder = write(files)
    expect(moveProject(folder, { version, isDry: true }).length).toBeGreaterThan(0)
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  })
})

test('every cron name becomes an expression that is taken, or a remark', async () => {
  const names = readFileSync(new URL('cron-names.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  expect(names).toHaveLength(84)
  for (const line of names) {
    const [name = '', former = ''] = line.split(' = ')
    const source = `import { CronExpression as C } from '@novu/framework'\nexport const a = C.${name}\n`
    const { text, remarks } = moveSource(source, 'a.ts')
    const next = /a = '(.*)'/.exec(text)?.[1] ?? ''
    if (remarks.length > 0 && !next.includes('*')) {
      expect(former.split(' ')[0]).not.toBe('0')
      continue
    }
    expect(next.split(' ')).toHaveLength(5)
    // The same times: without the seconds, which were 0, and in one way of writing numbers.
    const fields = former
      .split(' ')
      .slice(-5)
      .map((field) => field.replace(/^0(\d)$/, '$1'))
    if (name !== 'EVERY_YEAR') expect(next.replace('0-23/1', '*')).toBe(fields.join(' ').replace('0-23/1', '*'))
  }
  expect(cron.everyMinute).toBe('* * * * *')
})

test('the command tells files, remarks and its status', () => {
  const [shape] = shapes
  const folder = write(shape?.files ?? {})
  const { status, stdout } = spawnSync(process.execPath, [bin, folder], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout).toContain(`changed ${join('src', 'server.ts')}`)
  expect(stdout).toMatch(/look at .*server\.ts:8: The option "verbose" is gone/)
  expect(spawnSync(process.execPath, [bin, join(folder, 'nowhere')]).status).toBe(2)
  expect(spawnSync(process.execPath, [bin, '--no-such']).status).toBe(2)
  expect(JSON.parse(spawnSync(process.execPath, [bin, folder, '--json'], { encoding: 'utf8' }).stdout)).toEqual([])
})

test('a file that cannot be read is left as it is, and told', () => {
  const folder = write({ 'a.ts': "import { workflow } from '@novu/framework'\nconst = 5\n" })
  const [file] = moveProject(folder, { version })
  expect(file).toMatchObject({ path: 'a.ts', isChanged: false })
  expect(file?.remarks[0]?.text).toMatch(/cannot be read/)
})
