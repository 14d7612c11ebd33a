import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('loading.mjs', import.meta.url))

/** The modules loaded at startup. */
const always = ['core/dist/chunks/main', 'core/dist/index', 'protocol/dist/index']

function loadedBy(action: string, step: string, expected = '200'): readonly string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, action, step], { encoding: 'utf8' })
  expect([status, stderr.slice(-3)]).toEqual([expected === '200' ? 0 : 1, expected])
  const names = new Set(stdout.trim().split('\n'))
  return [...names].filter((name) => !always.includes(name) && !name.includes('rolldown-runtime')).sort()
}

test.each<[string, string, readonly string[]]>([
  ['execute', 'text', []],
  ['execute', 'mail', ['html/dist/chunks/html-tokens', 'html/dist/chunks/safe-url', 'html/dist/clean']],
  ['execute', 'templated', ['core/dist/chunks/controls']],
  ['execute', 'filtered', ['core/dist/chunks/controls', 'core/dist/chunks/template-engine', 'liquidjs']],
])('%s of the step %s loads only what it needs', (action, step, expected) => {
  expect(loadedBy(action, step)).toEqual(expected)
})

test.each<[string, readonly string[]]>([
  ['discover', ['core/dist/chunks/discover', 'core/dist/chunks/discovery']],
  ['preview', ['discover', 'discovery', 'preview'].map((name) => `core/dist/chunks/${name}`)],
])('%s loads neither templates nor the REST client', (action, expected) => {
  expect(loadedBy(action, 'text')).toEqual(expected)
})

test('card tags load nothing else, and nothing else loads them', () => {
  const names = ['', '/jsx-runtime', '/jsx-dev-runtime'].map((entry) => `@trestle/core/cards${entry}`)
  for (const name of names) {
    const { stdout, stderr } = spawnSync(process.execPath, [script, 'import', name], { encoding: 'utf8' })
    const entry = `core/dist/${name.split('/').at(-1)}`
    expect([stderr, stdout.trim().split('\n')]).toEqual(['', [entry, 'core/dist/chunks/jsx']])
  }
  for (const action of ['execute', 'preview', 'discover', 'agent-event'])
    expect(
      loadedBy(action, 'text', action === 'agent-event' ? '404' : '200').filter((name) => /jsx|cards/.test(name)),
    ).toEqual([])
})

test('a bridge without agents loads no agent code, even for an agent event', () => {
  expect(loadedBy('agent-event', 'text', '404')).toEqual([])
})
