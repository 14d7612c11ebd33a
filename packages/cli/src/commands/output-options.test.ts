import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Command } from '../terminal/command.ts'
import { parseArguments } from '../terminal/parse-arguments.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { replay } from './replay.ts'
import { types } from './types-command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'trestle-outputs-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
// No service or bridge exists at this address.
const nowhere = 'http://127.0.0.1:9'

const run = async (command: Command, argv: readonly string[]) => {
  const sink = { write: () => undefined }
  const terminal = createTerminal({ stdout: sink, stderr: sink, env: {}, isJson: true })
  await command.run({ ...parseArguments(command, argv), terminal, cwd, env: {}, signal: new AbortController().signal })
}

const cases: readonly (readonly [name: string, command: Command, argv: readonly string[]])[] = [
  [
    'replay',
    replay,
    ['--last', '1000', '--api', nowhere, '--key', 'sk_of_an_environment', '--against', nowhere, '--report'],
  ],
  ['types', types, ['--bridge', nowhere, '--out']],
]

test.each(cases)(
  'trestle %s rejects an output that it cannot write before it does its work',
  async (_name, command, argv) => {
    writeFileSync(join(cwd, 'file'), '')
    await expect(run(command, [...argv, 'file/below'])).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(join(cwd, 'file/below')),
    })
  },
)

test('trestle replay creates the folder of its report before it calls the service', async () => {
  const argv = [
    'run',
    '--api',
    nowhere,
    '--key',
    'sk_of_an_environment',
    '--against',
    nowhere,
    '--report',
    'new/a.html',
  ]
  await expect(run(replay, argv)).rejects.toMatchObject({ name: 'CommandError' })
  expect(existsSync(join(cwd, 'new'))).toBe(true)
})
