import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

test('stops reading when its signal aborts, and receives the rest without keeping it', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} })
  const late = new AbortController()
  const counts: number[] = []
  const reading = readBody(request as never, 100, { signal: late.signal, onBytes: (count) => counts.push(count) })
  request.write('before')
  late.abort(new Error('late'))
  await expect(reading).rejects.toThrow('late')
  request.write('x'.repeat(1000))
  request.end('after')
  await new Promise((resolve) => request.on('close', resolve))
  expect(counts).toEqual(['before'.length])
})
