import { describe, expect, test } from 'vitest'
import { packages } from '../repository.ts'

// These can only be loaded by their own runner; see `test/testing/runners.nightly.test.ts`.
const needsRunner = ['@trestle/testing/jest', '@trestle/testing/bun']

// Exported names are a commitment: additions and removals appear here.
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
