import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../test/scope.ts'
import { compilePackage } from '../../fixtures/compile.ts'
import { serveRaw } from '../../fixtures/server.ts'

/** The heap limit of the calling process, in MiB: slightly more than the client and one response of 10 MiB need. */
const heapMb = 48
/**
 * The maximum growth of the process over its idle size, in MiB: heap, one response with its buffer growth, and sockets.
 */
const maxGrowthMb = 80

const entry = compilePackage()

const script = `
const [entry, port] = process.argv.slice(1)
const { createBridgeClient } = await import(entry)
const client = createBridgeClient({
  secretKey: 'k', environmentName: 'Production', allow: ['127.0.0.0/8'], timeoutMs: 20_000,
  bridgeUrl: 'http://127.0.0.1:' + port + '/', logger: { warn() {} },
  sleep: async () => { throw new Error('the call was made again') },
})
const atRest = process.memoryUsage.rss()
let peak = atRest
setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5).unref()
const code = await client.healthCheck().then(() => 'ok', (error) => error.code ?? error.message)
peak = Math.max(peak, process.memoryUsage.rss())
console.log(JSON.stringify({ code, growthMb: Math.round((peak - atRest) / 2 ** 20) }))
process.exit()
`

interface Outcome {
  readonly code: string
  readonly growthMb: number
}

/** Calls a server from a process with a small heap, and returns the outcome of the call and of the process. */
async function callFromSmallProcess(write: (socket: Socket) => void): Promise<Outcome> {
  const { port } = await serveRaw((socket) => socket.once('data', () => write(socket)))
  const args = [`--max-old-space-size=${heapMb}`, '--input-type=module', '-e', script, entry, String(port)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let faults = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    faults += chunk
  })
  const exit = await new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  if (exit !== 0) throw new Error(`the process died with ${exit}: ${faults.slice(0, 300)}`)
  return JSON.parse(output)
}

/** Writes a chunk repeatedly, as fast as the peer reads, up to a number of bytes; then stops. */
function pour(socket: Socket, head: string, piece: string, bytes: number): void {
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  let left = Math.ceil(bytes / block.length)
  socket.write(head)
  const more = (): void => {
    while (left-- > 0) if (!socket.write(block)) return void socket.once('drain', more)
  }
  more()
}

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const mb = 1_000_000

describe('a process with a small heap', () => {
  const answers: [string, string, string, number][] = [
    ['chunks of one byte', chunked, '1\r\n \r\n', 25 * mb],
    ['chunks of one byte with extensions', chunked, '1;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n \r\n', 60 * mb],
    ['chunks of 40 bytes', chunked, `28\r\n${' '.repeat(40)}\r\n`, 60 * mb],
    ['a body without an end', 'HTTP/1.1 200 OK\r\n\r\n', ' '.repeat(1000), 100 * mb],
    ['a failure without an end', 'HTTP/1.1 500 No\r\n\r\n', ' '.repeat(1000), 100 * mb],
    ['information without an end', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 100 * mb],
    ['headers without an end', 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n', 100 * mb],
    ['trailers without an end', `${chunked}1\r\n \r\n0\r\n`, 'x-a: b\r\n', 100 * mb],
    ['bytes behind an answer', 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n', 'junk', 100 * mb],
    ['nested JSON', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10000000\r\n\r\n', '[', 10 * mb],
    ['small values', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10000000\r\n\r\n', '[[],{},', 10 * mb],
  ]

  it.each(someOf(answers, 4))('survives %s', { timeout: 40_000 }, async (_what, head, piece, bytes) => {
    const { code, growthMb } = await callFromSmallProcess((socket) => pour(socket, head, piece, bytes))
    expect(['ResponseReadError', 'ResponseParseError', 'UnknownBridgeRequestError']).toContain(code)
    expect(growthMb).toBeLessThan(maxGrowthMb)
  })

  it('reads a response of 10 MB in large chunks', async () => {
    const data = `${(16_000).toString(16)}\r\n${' '.repeat(16_000)}\r\n`.repeat(600)
    const { code, growthMb } = await callFromSmallProcess((socket) =>
      socket.end(`${chunked}${data}2\r\n{}\r\n0\r\n\r\n`),
    )
    expect(code).toBe('ok')
    expect(growthMb).toBeLessThan(maxGrowthMb)
  })
})
