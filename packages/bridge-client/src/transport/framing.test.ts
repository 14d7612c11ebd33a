import type { Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { createManualTimer, createTestClient, failureOf } from '../../fixtures/client.ts'
import { serveRaw } from '../../fixtures/server.ts'

const good = '{"outputs":{}}'
const step = { workflowId: 'w', stepId: 's', event: {} }

interface Outcome {
  /** The code of the failure; absent for a success. */
  readonly code?: unknown
  readonly waits: readonly number[]
  /** How many requests reached the server. */
  readonly requests: number
}

/** Calls a server that answers every request by writing bytes, and returns the outcome. */
async function callAgainst(write: (socket: Socket) => void): Promise<Outcome> {
  let requests = 0
  const { port } = await serveRaw((socket) =>
    socket.once('data', () => {
      requests++
      write(socket)
    }),
  )
  // A call that hangs ends here with BridgeRequestTimeout instead of blocking the tests.
  const client = createTestClient({ port, timeoutMs: 1000 })
  const code = await client.execute(step).then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  )
  return { ...(code === undefined ? {} : { code }), waits: client.waits, requests }
}

const once = { waits: [], requests: 1 }

/** Ways to split the same bytes into segments. The boundaries must not affect the result. */
const deliveries: Readonly<Record<string, (socket: Socket, head: string, tail: string) => void>> = {
  'in one segment': (socket, head, tail) => socket.write(head + tail),
  'in one segment and closed': (socket, head, tail) => socket.end(head + tail),
  'in two segments': (socket, head, tail) => {
    socket.setNoDelay(true)
    socket.write(head)
    setImmediate(() => socket.write(tail))
  },
  'with the rest a little later': (socket, head, tail) => {
    socket.setNoDelay(true)
    socket.write(head)
    setTimeout(() => socket.write(tail), 15)
  },
  'byte by byte': async (socket, head, tail) => {
    socket.setNoDelay(true)
    for (const byte of head + tail) {
      socket.write(byte)
      await new Promise(setImmediate)
    }
  },
}

const extras: Readonly<Record<string, string>> = {
  nothing: '',
  text: 'junk',
  'a line break': '\r\n',
  'a NUL': '\0',
  'a second answer': 'HTTP/1.1 500 No\r\ncontent-length: 2\r\n\r\n{}',
  'another last chunk': '0\r\n\r\n',
  '100 kB': 'x'.repeat(100_000),
}

const complete: Readonly<Record<string, readonly [answer: string, code?: string]>> = {
  'a sized body': [`HTTP/1.1 200 OK\r\ncontent-length: ${good.length}\r\n\r\n${good}`],
  'a sized body of a connection that stays open': [
    `HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  ],
  'a sized body of a connection that closes': [
    `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  ],
  'a body in one chunk': [`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\ne\r\n${good}\r\n0\r\n\r\n`],
  'a body in chunks with trailers': [
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;a=b\r\n{"\r\nc\r\n${good.slice(2)}\r\n0\r\nx-end: 1\r\n\r\n`,
  ],
  'a 204': ['HTTP/1.1 204 No Content\r\n\r\n', 'ResponseParseError'],
  'an empty 200': ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'ResponseParseError'],
  'a 304': ['HTTP/1.1 304 Not Modified\r\n\r\n', 'UnknownBridgeRequestError'],
  'a 401': ['HTTP/1.1 401 No\r\ncontent-length: 2\r\n\r\nno', 'BridgeAuthenticationFailed'],
  'an error of the bridge': [
    'HTTP/1.1 404 No\r\ncontent-length: 43\r\n\r\n{"code":"StepNotFoundError","message":"no"}',
    'StepNotFoundError',
  ],
}

describe('a complete response', () => {
  for (const [what, [answer, code]] of Object.entries(complete)) {
    for (const [extra, tail] of Object.entries(extras)) {
      it.each(Object.keys(deliveries))(`(${what}) is accepted with ${extra} after it, %s`, async (delivery) => {
        const outcome = await callAgainst((socket) => deliveries[delivery]?.(socket, answer, tail))
        expect(outcome).toEqual({ ...once, ...(code === undefined ? {} : { code }) })
      })
    }
  }
})

const ok = 'HTTP/1.1 200 OK\r\n'
const faulty: Readonly<Record<string, string>> = {
  'a negative length': `${ok}content-length: -1\r\n\r\n${good}`,
  'a length in hex': `${ok}content-length: 0x0e\r\n\r\n${good}`,
  'a length of 30 digits': `${ok}content-length: ${'9'.repeat(30)}\r\n\r\n${good}`,
  'an empty length': `${ok}content-length: \r\n\r\n${good}`,
  'two lengths': `${ok}content-length: 14\r\ncontent-length: 15\r\n\r\n${good}`,
  'a list of lengths': `${ok}content-length: 14, 14\r\n\r\n${good}`,
  'a length and chunks': `${ok}content-length: 14\r\ntransfer-encoding: chunked\r\n\r\ne\r\n${good}\r\n0\r\n\r\n`,
  'a chunk size that is no number': `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n${good}\r\n0\r\n\r\n`,
  'a negative chunk size': `${ok}transfer-encoding: chunked\r\n\r\n-e\r\n${good}\r\n0\r\n\r\n`,
  'a chunk size of 30 digits': `${ok}transfer-encoding: chunked\r\n\r\n${'f'.repeat(30)}\r\n${good}\r\n0\r\n\r\n`,
  'an empty chunk size': `${ok}transfer-encoding: chunked\r\n\r\n\r\n${good}\r\n0\r\n\r\n`,
  'a chunk longer than its size': `${ok}transfer-encoding: chunked\r\n\r\n5\r\n${good}\r\n0\r\n\r\n`,
  'a chunk shorter than its size': `${ok}transfer-encoding: chunked\r\n\r\nf\r\n${good}\r\n0\r\n\r\n`,
  'a chunk extension of 100 kB': `${ok}transfer-encoding: chunked\r\n\r\ne;${'x'.repeat(100_000)}\r\n${good}\r\n0\r\n\r\n`,
  'a trailer that is no header': `${ok}transfer-encoding: chunked\r\n\r\ne\r\n${good}\r\n0\r\nno colon\r\n\r\n`,
  'a header without a colon': `${ok}no colon\r\ncontent-length: 14\r\n\r\n${good}`,
  'a header without a name': `${ok}: empty\r\ncontent-length: 14\r\n\r\n${good}`,
  'a space in a header name': `${ok}content length: 14\r\n\r\n${good}`,
  'a NUL in a header': `${ok}x-a: b\0c\r\ncontent-length: 14\r\n\r\n${good}`,
  'a header that starts with a fold': `${ok} folded\r\ncontent-length: 14\r\n\r\n${good}`,
  'headers of 100 kB': `${ok}x-a: ${'x'.repeat(100_000)}\r\ncontent-length: 14\r\n\r\n${good}`,
  'no status': `HTTP/1.1\r\ncontent-length: 14\r\n\r\n${good}`,
  'a status in words': `HTTP/1.1 OK\r\ncontent-length: 14\r\n\r\n${good}`,
  'a status of four digits': `HTTP/1.1 2000 OK\r\ncontent-length: 14\r\n\r\n${good}`,
  'another version': `HTTP/9.7 200 OK\r\ncontent-length: 14\r\n\r\n${good}`,
  'a protocol in lower case': `http/1.1 200 OK\r\ncontent-length: 14\r\n\r\n${good}`,
  'line breaks in front': `\r\n\r\nHTTP/1.1 abc\r\n\r\n${good}`,
  'a bare body': good,
  'a NUL alone': '\0',
  'a TLS alert': '\x15\x03\x01\x00\x02\x02\x28',
}

describe('a faulty response', () => {
  for (const [what, bytes] of Object.entries(faulty)) {
    it.each(Object.keys(deliveries).filter((name) => name !== 'byte by byte' || bytes.length < 1000))(
      `(${what}) is rejected at once and not retried, %s`,
      async (delivery) => {
        const middle = Math.floor(bytes.length / 2)
        const outcome = await callAgainst((socket) =>
          deliveries[delivery]?.(socket, bytes.slice(0, middle), bytes.slice(middle)),
        )
        expect(outcome).toEqual({ ...once, code: 'ResponseReadError' })
      },
    )
  }

  const answers = Object.values(complete).map(([answer]) => answer)
  const cuts = answers.flatMap((answer) => Array.from(answer, (_, at) => answer.slice(0, at)).slice(1))
  it.each(['end', 'resetAndDestroy'] as const)('cut off at any position with %s is not retried', async (end) => {
    for (const cut of cuts.filter((_, index) => index % 7 === 0)) {
      const outcome = await callAgainst((socket) => {
        socket.write(cut)
        setTimeout(() => socket[end](), 5)
      })
      // A body that is not allowed, and a status whose body is ignored, are detected before the body ends.
      expect(outcome, JSON.stringify(cut)).toMatchObject(once)
      expect(outcome.code, JSON.stringify(cut)).not.toBe('BridgeRequestTimeout')
    }
  })

  const anyBytes = fc.array(fc.nat(255), { maxLength: 3 }).map((bytes) => String.fromCharCode(...bytes))
  it('of any kind is classified once, and retried only if its status is retryable', async () => {
    const edits = fc.array(fc.record({ at: fc.nat(), drop: fc.nat(3), add: anyBytes }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...answers), edits, async (answer, changes) => {
        let text = answer
        for (const { at, drop, add } of changes) {
          const place = at % text.length
          text = text.slice(0, place) + add + text.slice(place + drop)
          if (text === '') text = 'x'
        }
        const { code, waits, requests } = await callAgainst((socket) => socket.end(text, 'latin1'))
        if (code === 'BridgeEndpointUnavailable' || code === 'BridgeEndpointNotFound') return
        expect({ code, waits, requests }).toEqual({ code, ...once })
        expect(code).not.toBe('BridgeRequestTimeout')
      }),
      { numRuns: draws(100, 5000) },
    )
  })
})

describe('a response with status 101', () => {
  it.each([
    ['upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    [
      'upgrade with bytes',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\x81\x00',
    ],
    ['no header', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a body', `HTTP/1.1 101 Switching Protocols\r\ncontent-length: 14\r\n\r\n${good}`],
  ])('with %s gives UnknownBridgeRequestError, and is not retried', async (_what, bytes) => {
    const outcome = await callAgainst((socket) => socket.write(bytes))
    expect(outcome).toEqual({ ...once, code: 'UnknownBridgeRequestError' })
  })

  it.each(['100 Continue', '102 Processing', '103 Early Hints', '199 Other'])(
    'or %s before the final response is skipped',
    async (line) => {
      const bytes = `HTTP/1.1 ${line}\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n${good}`
      expect(await callAgainst((socket) => socket.write(bytes))).toEqual(once)
    },
  )
})

describe('a response that stops', () => {
  it.each(['H', 'HTTP/1.1 200', `${ok}content-length: 14\r\n\r\n{"out`])(
    'after %j gives BridgeRequestTimeout',
    async (start) => {
      const timer = createManualTimer()
      const { port } = await serveRaw((socket) =>
        socket.once('data', () => {
          socket.write(start)
          setTimeout(timer.fire, 20)
        }),
      )
      const client = createTestClient({ port, startTimer: timer.startTimer })
      expect((await failureOf(client.execute(step))).code).toBe('BridgeRequestTimeout')
    },
  )
})
