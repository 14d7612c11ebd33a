import { expect, test } from 'vitest'
import { signalTree } from './signal-tree.ts'

/** Records the calls of an operating system on which every call succeeds. */
function createSystem(platform: string) {
  const calls: unknown[] = []
  const kill = (...call: unknown[]) => calls.push(call) > 0
  const run = (...call: unknown[]) => ({ status: calls.push(call) > 0 ? 0 : 1 })
  return { calls, system: { platform, kill, run } }
}

test('ends a process of Windows with all its child processes', () => {
  const { calls, system } = createSystem('win32')
  expect(signalTree(7, 'SIGTERM', system)).toBe(true)
  expect(signalTree(7, 0, system)).toBe(true)
  expect(calls).toEqual([
    ['taskkill', ['/pid', '7', '/T', '/F']],
    [7, 0],
  ])
})

test('signals the process group on other systems', () => {
  const { calls, system } = createSystem('linux')
  expect(signalTree(7, 'SIGTERM', system)).toBe(true)
  expect(signalTree(7, 0, system)).toBe(true)
  expect(calls).toEqual([
    [-7, 'SIGTERM'],
    [-7, 0],
  ])
})
