import { pino } from 'pino'
import { expect, test } from 'vitest'
import { serializeError } from './serialize-error.ts'

test('logs the scalar fields of an error, and no object that a driver attaches', () => {
  const lines: string[] = []
  const logger = pino({ serializers: { err: serializeError } }, { write: (line: string) => void lines.push(line) })
  const connection = { password: 'secret of the database', ssl: { key: 'secret of the key' } }
  const cause = Object.assign(new Error('refused'), { client: connection })
  const error = Object.assign(new Error('terminated', { cause }), {
    code: '57P01',
    client: connection,
    all: [connection],
  })
  logger.error({ err: error }, 'the database failed')
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ type: 'Error', code: '57P01' })
  expect(lines[0]).toContain('terminated: refused')
  expect(lines[0]).not.toContain('secret of')
})
