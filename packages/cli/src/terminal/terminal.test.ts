import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTerminal } from './terminal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns what two seconds of work write to standard error. */
function showProgress(options: { isJson?: boolean; isTTY?: boolean }): string {
  let text = ''
  const stderr = { write: (part: string) => (text += part), isTTY: options.isTTY }
  const terminal = createTerminal({ stdout: { write: () => true }, stderr, env: {}, isJson: options.isJson ?? false })
  const end = terminal.progress('Reading')
  vi.advanceTimersByTime(2000)
  end()
  return text
}

test('prints one line of progress outside a terminal, and none with --json', () => {
  expect(showProgress({})).toBe('Reading ...\n')
  expect(showProgress({ isJson: true })).toBe('')
})

test('shows progress in a terminal, also with --json', () => {
  for (const isJson of [false, true]) expect(showProgress({ isTTY: true, isJson })).toContain('Reading')
})
