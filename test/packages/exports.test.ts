import { describe, expect, test } from 'vitest'
import { packages } from './source.ts'

// These can be loaded by their own runner only; `test/testing/runners.nightly.test.ts` does.
const needsRunner = ['@trestle/testing/jest', '@trestle/testing/bun']

// A name that is exported is a promise: adding or taking one away shows here.
describe.each(packages)('$folder', ({ file: { name, exports } }) => {
  const entries = Object.keys(exports).filter(
    (entry) =>
      entry !== './package.json' && !entry.endsWith('.css') && !needsRunner.includes(`${name}${entry.slice(1)}`),
  )
  test.each(entries)('exports of %s', async (entry) => {
    const loaded = (await import(`${name}${entry.slice(1)}`)) as object
    expect(Object.keys(loaded).sort()).toMatchSnapshot()
  })
})
