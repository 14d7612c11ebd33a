import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { relayStdio } from './relay-stdio.ts'

/** A relay to a service that answers with the parameters of each message. */
async function startRelay() {
  const server = createServer(async (request, response) => {
    const { id, params } = JSON.parse(await text(request)) as { id: number; params: unknown }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: params }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()]
  const findAccess = () => ({ apiUrl, key: 'sk_of_an_environment' })
  const ended = relayStdio({ input, output, findAccess, signal: stop.signal })
  const replies = async () => {
    await ended
    output.end()
    const lines = (await text(output)).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line)).sort((one, other) => one.id - other.id)
  }
  return { input, stop, ended, replies }
}

const messageOf = (id: number, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })

test('answers messages with every character that other readers treat as a line end', async () => {
  const { input, replies } = await startRelay()
  const texts = ['\u2028', '\u2029', '\u0085', '\v\f', 'a\u2028b\u2029c', '\r\n']
  for (const [id, one] of texts.entries()) input.write(`${messageOf(id, one)}\n`)
  input.end()
  expect(await replies()).toEqual(texts.map((result, id) => ({ jsonrpc: '2.0', id, result })))
})

test('joins a message that is split within a character, and answers the last one without a line end', async () => {
  const { input, replies } = await startRelay()
  for (const byte of Buffer.from(`${messageOf(0, 'ä€😀\u2028')}\r\n\n${messageOf(1, '😀')}`)) {
    input.write(Buffer.of(byte))
    await turn()
  }
  input.end()
  expect(await replies()).toEqual([
    { jsonrpc: '2.0', id: 0, result: 'ä€😀\u2028' },
    { jsonrpc: '2.0', id: 1, result: '😀' },
  ])
})

test('ends when it is aborted, and fails if its input cannot be read', async () => {
  const aborted = await startRelay()
  aborted.input.write('{"jsonrpc"')
  aborted.stop.abort()
  await aborted.ended
  const broken = await startRelay()
  broken.input.destroy(new Error('EIO'))
  await expect(broken.ended).rejects.toThrow('EIO')
})
