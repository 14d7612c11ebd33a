import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { version } from '../../base/version.ts'
import { applyPlan } from '../apply-plan.ts'
import { planInbox } from './plan-inbox.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-inbox-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
const npm = { install: 'npm install', run: 'npm run', exec: 'npx' }
const packageOf = (...names: readonly string[]): string =>
  JSON.stringify({ name: 'app', dependencies: Object.fromEntries(names.map((name) => [name, '1'])) })
const next = packageOf('next', 'react')
const vite = packageOf('vite', 'react')
const textsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(planInbox(folder, npm).files.map(({ path, text }) => [path, text]))

it.each([
  ['app', 'inbox'],
  ['src/app', 'src/inbox'],
])('adds a bell with a server-side hash to a Next app with the folder %s', (routes, place) => {
  const folder = folderWith({ 'package.json': next, 'tsconfig.json': '{}', [`${routes}/layout.tsx`]: 'mine' })
  const texts = textsOf(folder)
  expect(Object.keys(texts)).toEqual([
    `${place}/inbox-bell.tsx`,
    `${place}/inbox-client.tsx`,
    '.env.example',
    'package.json',
  ])
  const [server, client] = [texts[`${place}/inbox-bell.tsx`] ?? '', texts[`${place}/inbox-client.tsx`] ?? '']
  // Next rejects pages that read the request outside of Suspense, if its cache components are on.
  expect(server).toMatch(/<Suspense>\s*<Bell subscriberId={subscriberId} \/>\s*<\/Suspense>/)
  expect(server).toContain('InboxBell({ subscriberId }: { subscriberId: string })')
  expect(server).toContain('subscriberHash={toSubscriberHash(secretKey, subscriberId)}')
  expect(server).not.toContain('use client')
  // The browser code imports the styles, but contains neither the key nor the name of its variable.
  expect(client).toMatch(/^'use client'\n[\s\S]*import '@trestle\/inbox\/inbox\.css'/)
  expect(client).not.toContain('SECRET')
  expect(texts['.env.example']).toMatch(
    /^SERVICE_API_URL=\n[\s\S]*^SERVICE_APPLICATION_IDENTIFIER=\n[\s\S]*^SERVICE_SECRET_KEY=\n/m,
  )
  expect(JSON.parse(texts['package.json'] ?? '')).toMatchObject({
    dependencies: { '@trestle/inbox': version() },
    devDependencies: { '@trestle/cli': version() },
  })
  expect(planInbox(folder, npm).manual).toEqual([
    {
      file: `${routes}/layout.tsx`,
      lines: ["import { InboxBell } from '../inbox/inbox-bell'", '<InboxBell subscriberId={user.id} />'],
      why: 'with the id of the signed-in user',
    },
  ])
})

it('adds a bell to a Vite app that gets the hash from a server, without a secret', () => {
  const texts = textsOf(folderWith({ 'package.json': vite, 'tsconfig.json': '{}', 'src/App.tsx': '' }))
  expect(Object.keys(texts)).toEqual(['src/inbox/inbox-bell.tsx', '.env.example', 'package.json'])
  expect(texts['src/inbox/inbox-bell.tsx']).toContain("import '@trestle/inbox/inbox.css'")
  expect(texts['src/inbox/inbox-bell.tsx']).toContain('subscriberHash?: string')
  for (const text of Object.values(texts)) expect(text).not.toContain('SECRET')
})

it('writes JavaScript for an app without TypeScript', () => {
  const texts = textsOf(folderWith({ 'package.json': vite, 'src/App.jsx': '' }))
  expect(texts['src/inbox/inbox-bell.jsx']).toContain('InboxBell({ subscriberId, subscriberHash })')
})

it('adds only missing names to .env.example', () => {
  const before = '# mine\nexport SERVICE_SECRET_KEY=\nOTHER=1'
  const folder = folderWith({ 'package.json': next, 'app/layout.jsx': '', '.env.example': before })
  const file = planInbox(folder, npm).files.find(({ path }) => path === '.env.example')
  expect(file).toMatchObject({
    isChange: true,
    text: expect.stringMatching(/^# mine\nexport SERVICE_SECRET_KEY=\nOTHER=1\n# /),
  })
  expect(file?.text.match(/SERVICE_SECRET_KEY/g)).toHaveLength(1)
  expect(file?.text).toContain('\nSERVICE_API_URL=\n')
})

const bridgeRoute = "import { serve } from '@trestle/next'"

const script = (command: string) => ({ 'trestle:dev': `trestle dev --run "${command}"` })

it.each([
  [
    'a Next app with a bridge',
    next,
    { 'app/api/bridge/route.ts': bridgeRoute },
    script('next dev'),
    'trigger WORKFLOW',
  ],
  ['a Next app without a bridge', next, { 'app/layout.tsx': '' }, script('next dev'), 'trestle init'],
  ['a Vite app', vite, { 'src/App.jsx': '' }, undefined, 'trigger WORKFLOW'],
])('says how %s is started with the service, and how to see a message', (_what, manifest, files, scripts, command) => {
  const plan = planInbox(folderWith({ 'package.json': manifest, ...files }), npm)
  const changed = plan.files.find(({ path }) => path === 'package.json')?.text ?? ''
  expect(JSON.parse(changed).scripts).toEqual(scripts)
  expect([plan.devScript, plan.startCommand]).toEqual(
    scripts ? ['trestle:dev', undefined] : [undefined, 'trestle dev --bridge PORT --run "vite"'],
  )
  expect(plan.trial?.command).toContain(command)
})

it('does not change an app that has an inbox', () => {
  const folder = folderWith({ 'package.json': vite, 'src/App.jsx': '' })
  applyPlan(folder, planInbox(folder, npm))
  expect(planInbox(folder, npm)).toEqual({
    ...{ framework: 'vite', files: [], manual: [], isDone: true },
    mountedIn: 'src/inbox/inbox-bell.jsx',
  })
})

it.each([
  ['no package.json', {}, 'has no package.json'],
  ['Express', { 'package.json': packageOf('express') }, 'neither Next nor Vite with React'],
  ['Vite without React', { 'package.json': packageOf('vite', 'vue') }, 'neither Next nor Vite with React'],
  ['Next with pages only', { 'package.json': next, 'pages/index.js': '' }, 'has no app folder'],
  [
    'a file in the way',
    { 'package.json': vite, 'src/App.jsx': '', 'src/inbox/inbox-bell.js': '' },
    'src/inbox/inbox-bell already exists',
  ],
])('rejects adding an inbox to an app with %s', (_what, files, message) => {
  expect(() => planInbox(folderWith(files), npm)).toThrow(message)
})

it.each(['package.json', '.env.example'])('does not change an app whose %s is not UTF-8', (path) => {
  const folder = folderWith({ 'package.json': next, 'app/layout.jsx': 'mine' })
  const text = path === 'package.json' ? next.replace('"app"', '"ü"') : '# ü\n'
  writeFileSync(join(folder, path), text, 'latin1')
  expect(() => planInbox(folder, npm)).toThrow(`${path} is not UTF-8 and was not changed.`)
})
