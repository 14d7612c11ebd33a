import type { Hooks } from '@trestle/core'
import { expect, test } from 'vitest'
import { withoutProbes } from './without-probes.ts'

test('keeps every hook', () => {
  const names: readonly (keyof Hooks)[] = ['onRequest', 'onStep', 'onError', 'onInvalidSignature', 'onReply']
  const called: string[] = []
  const wrapped = withoutProbes(Object.fromEntries(names.map((name) => [name, () => called.push(name)])))
  for (const name of names) (wrapped[name] as () => void)()
  expect(called).toEqual(names)
})
