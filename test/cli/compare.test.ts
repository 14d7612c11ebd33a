import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../repository.ts'
import { trestle } from './trestle.ts'

const repository = mkdtempSync(join(tmpdir(), 'trestle-repository-'))
const folder = join(repository, 'apps', 'shop')
/** The folder for temporary files of the command. */
const temporary = mkdtempSync(join(tmpdir(), 'trestle-temporary-'))
const git = (...argv: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...argv], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** The source of an app with a message for each body. */
const toApp = (bodies: Readonly<Record<string, string>>): string => `
import { createServer } from 'node:http'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
const order = workflow('order', async ({ step, payload }) => {
  ${Object.entries(bodies)
    .map(([id, body]) => `await step.email('${id}', () => ({ subject: 'Order', body: ${body} }))`)
    .join('\n')}
})
const bridge = createBridge({ workflows: [order], strictAuthentication: false })
createServer(toNodeHandler(bridge)).listen(process.env.PORT, '127.0.0.1')
`

beforeAll(() => {
  mkdirSync(join(folder, 'fixtures'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'))
  writeFileSync(join(repository, '.gitignore'), 'node_modules\nout\n')
  writeFileSync(join(folder, 'fixtures', 'order.json'), JSON.stringify({ large: { payload: { id: 7 } } }))
  const same = "'<p>same</p>'"
  const changed = '`<p>Order ${payload.id}</p>`'
  writeFileSync(join(folder, 'app.mjs'), toApp({ changed, same, gone: same }))
  git('init', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--message', 'first')
  writeFileSync(join(folder, 'app.mjs'), toApp({ changed: '`<p>Number ${payload.id}</p>`', same, fresh: same }))
})
afterAll(() => {
  for (const each of [repository, temporary]) rmSync(each, { recursive: true, force: true })
})

const compare = (ref: string, argv: readonly string[] = []) =>
  trestle(['preview', '--compare', ref, '--run', 'node app.mjs', '--out', 'out', ...argv], {
    cwd: folder,
    env: { TMPDIR: temporary },
  })

test('compares each step with its version in another commit, and writes one page', async () => {
  const { status, stdout, stderr } = await compare('main', ['--json'])
  expect(status, stderr).toBe(0)
  const place = { workflowId: 'order', fixture: 'large' }
  expect(JSON.parse(stdout)).toMatchObject({
    commit: git('rev-parse', 'main').trim(),
    changed: [{ ...place, stepId: 'changed' }],
    added: [{ ...place, stepId: 'fresh' }],
    removed: [{ ...place, stepId: 'gone' }],
    failed: [],
  })
  const page = readFileSync(join(folder, 'out', 'compare.html'), 'utf8')
  expect(page).toContain('1 changed, 1 added, 1 removed, 1 unchanged')
  expect(page).toContain('<del>&lt;p&gt;Order 7&lt;/p&gt;</del>')
  expect(page).toContain('<ins>&lt;p&gt;Number 7&lt;/p&gt;</ins>')
  expect(page).toMatch(/<details><summary>same <code>email<\/code> › large: unchanged/)
  expect(page.match(/<iframe class="mail" sandbox=""/g)).toHaveLength(5)
  expect(page).not.toContain('<script')
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(readdirSync(temporary)).toEqual([])
})

test('exits with 1 if a step in the working copy cannot be rendered', async () => {
  const source = readFileSync(join(folder, 'app.mjs'), 'utf8')
  writeFileSync(join(folder, 'app.mjs'), toApp({ changed: 'null.body' }))
  const { status, stdout } = await compare('main')
  writeFileSync(join(folder, 'app.mjs'), source)
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('failed    order › changed › large: StepExecutionFailed'),
  ])
  const page = readFileSync(join(folder, 'out', 'compare.html'), 'utf8')
  expect(page).toContain('1 failed, 1 changed, 0 added, 2 removed, 0 unchanged')
  expect(page).toContain('<span class="failed">failed, changed</span>')
})

test.each([
  ['an unknown version', 'nothing', [], 'is not a branch, tag or commit of this repository'],
  ['a version that looks like an option', '--help=x', [], 'needs a value'],
])('rejects %s', async (_name, ref, argv, text) => {
  const { status, stderr } = await compare(ref, argv)
  expect(stderr).toContain(text)
  expect(status).not.toBe(0)
})

test('reports an app that ends before its bridge answers, and removes the other version', async () => {
  const argv = ['preview', '--compare', 'main', '--run', 'echo broken && exit 3', '--out', 'out']
  const { status, stderr } = await trestle(argv, { cwd: folder })
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('The app exited with status 3 before its bridge answered.'),
  ])
  expect(stderr).toContain('main │ broken')
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
})
