import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

test('stops reading when its signal aborts, and receives the rest without keeping it', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} })
  const late = new AbortController()
  const reading = readBody(request as never, 100, late.signal)
  request.write('before')
  late.abort(new Error('late'))
  await expect(reading).rejects.toThrow('late')
  request.write('x'.repeat(1000))
  request.end('after')
  await new Promise((resolve) => request.on('close', resolve))
})
