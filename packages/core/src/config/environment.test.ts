import { afterEach, describe, expect, test, vi } from 'vitest'
import { resolveSecrets, resolveStrictness } from './authentication.ts'
import { findEnvironment } from './environment.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** Calls a function as on a runtime whose process has these variables, or no environment at all. */
function onRuntime<TResult>(env: Record<string, string> | undefined, ask: () => TResult): TResult {
  vi.stubGlobal('process', env && { env })
  try {
    return ask()
  } finally {
    vi.unstubAllGlobals()
  }
}

describe('the variables of a call', () => {
  test('override those of the process, name by name', () => {
    const read = onRuntime({ A: 'process', B: 'process' }, () => findEnvironment({ A: 'call', C: 'call' }))
    expect(['A', 'B', 'C', 'D'].map((name) => onRuntime({ B: 'process' }, () => read?.(name)))).toEqual([
      'call',
      'process',
      'call',
      undefined,
    ])
  })

  test.each<[string, unknown]>([
    ['a store with the name of a variable', { SERVICE_SECRET_KEY: { get: () => 'x' } }],
    ['a number', { SERVICE_SECRET_KEY: 7 }],
    ['an inherited one', Object.create({ SERVICE_SECRET_KEY: 'x' })],
    ['a text', 'SERVICE_SECRET_KEY'],
    ['null', null],
  ])('%s is not treated as a variable', (_title, bindings) => {
    const secrets = onRuntime({ SERVICE_SECRET_KEY: 'process' }, () => resolveSecrets([], findEnvironment(bindings)))
    expect(secrets).toEqual(['process'])
  })

  test('provide the secret key, after the option', () => {
    const environment = findEnvironment({ SERVICE_SECRET_KEY: '', SERVICE_API_KEY: 'call' })
    expect(resolveSecrets([], environment)).toEqual(['call'])
    expect(resolveSecrets(['option'], environment)).toEqual(['option'])
  })

  test.each<[string, Record<string, string> | undefined, unknown, boolean]>([
    ['neither process nor variables', undefined, undefined, true],
    ['variables without NODE_ENV, no process', undefined, {}, true],
    ['NODE_ENV that is a store, no process', undefined, { NODE_ENV: {} }, true],
    ['development in the variables', undefined, { NODE_ENV: 'development' }, false],
    ['development in the variables, forced on there', undefined, force({ NODE_ENV: 'development' }), true],
    ['production in the variables, development in the process', { NODE_ENV: 'dev' }, { NODE_ENV: 'production' }, true],
    ['development in the process', { NODE_ENV: 'development' }, {}, false],
    ['nothing in either', {}, { incoming: {} }, false],
  ])('with %s, decide whether calls must be signed', (_title, env, bindings, strict) => {
    expect(onRuntime(env, () => resolveStrictness(undefined, findEnvironment(bindings))).strict).toBe(strict)
  })

  test.each<[string, Record<string, string>, unknown, boolean]>([
    ['an empty process', {}, undefined, true],
    ['an empty process and no NODE_ENV with the call', {}, {}, true],
    ['development with the call', {}, { NODE_ENV: 'development' }, false],
    ['development in the process', { NODE_ENV: 'dev' }, undefined, false],
  ])('on Cloudflare Workers with %s, decide whether calls must be signed', (_title, env, bindings, strict) => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    vi.stubGlobal('process', { env })
    const strictness = resolveStrictness(undefined, findEnvironment(bindings))
    vi.unstubAllGlobals()
    expect(strictness.strict).toBe(strict)
  })
})

function force(bindings: Record<string, string>): Record<string, string> {
  return { ...bindings, SERVICE_STRICT_AUTHENTICATION_ENABLED: 'true' }
}
