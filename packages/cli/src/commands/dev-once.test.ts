import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseArguments } from '../terminal/parse-arguments.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { dev } from './dev.ts'

test.each([
  [['--trigger', 'order', '--to', '{ada}'], '--to is not valid JSON'],
  [['--trigger', 'order', '--payload', '{'], '--payload is not valid JSON'],
  [['--to', 'ada'], '--to needs --trigger'],
  [['--payload', '{}'], '--payload needs --trigger'],
])('rejects %j before it starts the app', async (options, message) => {
  const cwd = mkdtempSync(join(tmpdir(), 'trestle-dev-once-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const sink = { write: () => undefined }
  const terminal = createTerminal({ stdout: sink, stderr: sink, env: {}, isJson: true })
  const run = `${process.execPath} -e "fs.writeFileSync('started', '')"`
  const args = parseArguments(dev, ['--once', '--wait', '2', '--run', run, ...options])
  const running = dev.run({ ...args, terminal, cwd, env: {}, signal: new AbortController().signal })
  await expect(running).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) })
  expect(existsSync(join(cwd, 'started'))).toBe(false)
})
