import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

test('what must compile compiles, and what must not does not', () => {
  let report = ''
  try {
    execFileSync(process.execPath, [tsc, '-p', here], { encoding: 'utf8' })
  } catch (error) {
    report = String((error as { stdout?: string }).stdout)
  }
  expect(report).toBe('')
}, 60_000)
