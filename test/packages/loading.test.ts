import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('loading.mjs', import.meta.url))

/** What is loaded before anything is asked for. */
const always = ['core/dist/chunks/main', 'core/dist/index', 'protocol/dist/chunks/main', 'protocol/dist/index']

function loadedBy(action: string, step: string, expected = '200'): readonly string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, action, step], { encoding: 'utf8' })
  expect([status, stderr.slice(-3)]).toEqual([expected === '200' ? 0 : 1, expected])
  const names = new Set(stdout.trim().split('\n'))
  return [...names].filter((name) => !always.includes(name) && !name.includes('rolldown-runtime')).sort()
}

test.each<[string, string, readonly string[]]>([
  ['execute', 'text', []],
  ['execute', 'mail', ['core/dist/chunks/clean-html']],
  [
    'execute',
    'templated',
    [
      'core/dist/chunks/is-template',
      'core/dist/chunks/resolve-controls',
      'core/dist/chunks/template',
      'core/dist/chunks/template-engine',
      'liquidjs',
    ],
  ],
])('%s of the step %s loads what it needs and no more', (action, step, expected) => {
  expect(loadedBy(action, step)).toEqual(expected)
})

test.each([['discover'], ['preview']])('%s loads neither templates nor the REST client', (action) => {
  const loaded = loadedBy(action, 'text')
  expect(loaded.some((name) => name.startsWith(`core/dist/chunks/${action}`))).toBe(true)
  expect(loaded.filter((name) => /liquidjs|\/template|api-client|cfworker|trigger|clean-html/.test(name))).toEqual([])
})

test('a bridge without agents loads nothing of them, also where an event comes for one', () => {
  expect(loadedBy('agent-event', 'text', '404')).toEqual([])
})
