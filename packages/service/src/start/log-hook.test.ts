import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { UnreachableStoreError } from '../store/faults/is-overload.ts'
import { createLogHook } from './log-hook.ts'

test('logs a repeated database failure every ten seconds with a count, and other failures each time', () => {
  const lines: string[] = []
  const logger = pino({ hooks: createLogHook() }, { write: (line: string) => void lines.push(line) })
  let nowMs = 1000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const away = () => logger.error({ err: new UnreachableStoreError(new Error('refused')), at: nowMs }, 'work failed')
  for (let count = 0; count < 5; count++) away()
  logger.error({ err: new UnreachableStoreError(new Error('refused')) }, 'a request failed')
  for (let count = 0; count < 2; count++) logger.error({ err: new Error('broken') }, 'work failed')
  logger.info('ready')
  nowMs += 10_001
  away()
  clock.mockRestore()
  expect(lines.map((line) => JSON.parse(line)).map(({ msg, leftOut, at }) => [msg, at, leftOut])).toEqual([
    ['work failed', 1000, undefined],
    ['a request failed', undefined, undefined],
    ['work failed', undefined, undefined],
    ['work failed', undefined, undefined],
    ['ready', undefined, undefined],
    ['work failed', 11_001, 4],
  ])
})
