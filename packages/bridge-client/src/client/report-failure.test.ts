import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createTestClient, failureOf, secretKey } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { toPlainError } from '../base/plain-error.ts'
import { toPlainText } from '../base/plain-text.ts'

const step = { workflowId: 'w', stepId: 's', event: { payload: { card: 'private-payload' } } }
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const evil = 'a\r\n2026-01-01 INFO forged\u001b[31m %s %o %c \u2028\u202e\u009b2J\0'

/** Returns every text within a value, including names and the texts of errors. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Error) return [value.message, value.name, ...Object.values(value).flatMap(textsOf)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsOf(item)])
}

describe('the log', () => {
  it('escapes control characters and format specifiers in a bridge’s response', async () => {
    const lines: unknown[][] = []
    const logger = { warn: (...args: unknown[]) => void lines.push(args) }
    const { port } = await serveHttp(json(400, { code: 'StepNotFoundError', message: evil, data: null }))
    const failure = await failureOf(createTestClient({ port, logger }).execute(step))
    // The caller gets the bridge's own text; the log gets an escaped form that cannot forge a log line.
    expect(failure.message).toBe(evil)
    expect(lines).toHaveLength(1)
    expect(lines[0]?.[1]).toBe('A bridge call failed.')
    for (const text of textsOf(lines)) expect(text).not.toMatch(unprintable)
    expect(lines[0]?.[0]).toMatchObject({ message: expect.stringContaining('forged\\u001b[31m') })
  })

  it("goes to the call's own logger, if it has one", async () => {
    const lines: unknown[][] = []
    const logger = { warn: (...args: unknown[]) => void lines.push(args) }
    const { port } = await serveHttp(json(400, { code: 'StepNotFoundError', message: 'no', data: null }))
    const client = createTestClient({ port })
    await failureOf(client.execute(step, { logger }))
    expect([lines.length, client.logged.length]).toEqual([1, 0])
    await failureOf(client.execute(step))
    expect([lines.length, client.logged.length]).toEqual([1, 1])
  })

  it('limits the length of a message', async () => {
    const lines: unknown[] = []
    const logger = { warn: (...args: unknown[]) => void lines.push(args) }
    const { port } = await serveHttp(json(400, { code: 'StepNotFoundError', message: 'x'.repeat(900_000), data: null }))
    await failureOf(createTestClient({ port, logger }).execute(step))
    expect(JSON.stringify(lines).length).toBeLessThan(3000)
    expect(JSON.stringify(lines)).toContain('(900000 characters)')
  })

  it('contains one bounded line for a long URL with format specifiers', async () => {
    const lines: unknown[][] = []
    const logger = { warn: (...args: unknown[]) => void lines.push(args) }
    const bridgeUrl = `http://bridge.test/%s%o%c/${'x'.repeat(50_000)}?token=hidden`
    await failureOf(createTestClient({ bridgeUrl, fails: 'ECONNREFUSED', logger }).discover())
    expect(lines[0]?.[1]).toBe('A bridge call failed.')
    expect(inspect(lines).length).toBeLessThan(20_000)
    expect(inspect(lines)).not.toContain('hidden')
  })

  it('limits the length of text from a resolver', async () => {
    const lines: unknown[][] = []
    const logger = { warn: (...args: unknown[]) => void lines.push(args) }
    const lookup = async () => [`${evil}${'x'.repeat(10_000)}`]
    await failureOf(createTestClient({ lookup, logger }).discover())
    for (const text of textsOf(lines)) {
      expect(text).not.toMatch(unprintable)
      expect(text.length).toBeLessThan(1100)
    }
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('logger')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('logger'))],
    [
      'throws nothing',
      () => {
        throw undefined
      },
    ],
  ])('is optional: a logger that %s has no effect', async (_what, warn) => {
    const rejections: unknown[] = []
    const onRejection = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    const client = createTestClient({ fails: 'ECONNREFUSED', logger: { warn: warn as () => void } })
    expect((await failureOf(client.execute(step))).code).toBe('ECONNREFUSED')
    expect(client.waits).toEqual([1000, 2000, 4000])
    await new Promise(setImmediate)
    process.off('unhandledRejection', onRejection)
    expect(rejections).toEqual([])
  })

  it('goes to the console by default', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await failureOf(createTestClient({ fails: 'ECONNREFUSED', logger: undefined as never }).healthCheck())
    expect(warn).toHaveBeenCalledTimes(2)
    expect(warn.mock.lastCall?.[0]).toBe('A bridge call failed.')
    await failureOf(createTestClient({ fails: 'ECONNREFUSED', logger: console }).healthCheck())
    expect(warn.mock.lastCall?.[0]).toBe('A bridge call failed.')
    warn.mockRestore()
  })
})

describe('a failure', () => {
  it('contains neither the signature nor the body of a response that echoes the request', async () => {
    const heads = [
      '',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      'HTTP/1.1 204 No\r\n\r\n',
    ]
    for (const head of heads) {
      const { port } = await serveRaw((socket) => socket.once('data', (request) => socket.end(head + String(request))))
      const client = createTestClient({ port })
      const failure = await failureOf(client.execute(step))
      const output = inspect([failure, failure.cause, client.logged], {
        depth: 20,
        showHidden: true,
        maxStringLength: null,
      })
      expect(output).not.toMatch(/private-payload|v1=|rawPacket/)
      expect(output).not.toContain(Buffer.from('v1=').toString('hex').replace(/../g, '$& ').trim())
      expect(output).not.toContain(secretKey)
    }
  })

  it('keeps name, message, code and stack of the underlying error', () => {
    const error = Object.assign(new TypeError('it\nbroke'), {
      code: 'E_ODD',
      rawPacket: Buffer.from('v1='),
      cert: { a: 1 },
    })
    const plain = toPlainError(error)
    expect(plain).toMatchObject({ name: 'TypeError', message: 'it\\u000abroke', code: 'E_ODD' })
    expect(Object.keys(plain).sort()).toEqual(['code', 'name'])
    expect(plain.stack).toContain('report-failure.test.ts')
  })

  it('describes any thrown value', () => {
    const throwing = Object.defineProperty({}, 'message', {
      get: () => {
        throw new Error('no')
      },
    })
    for (const thrown of [undefined, null, 'text', 7, Symbol('x'), {}, [], throwing, Object.create(null), () => {}]) {
      expect(toPlainError(thrown)).toBeInstanceOf(Error)
    }
    expect(toPlainError('text').message).toBe('text')
  })
})

// Generates every UTF-16 unit, with units that must be escaped occurring more often.
const anyUnit = fc.oneof(fc.nat(0xa0), fc.integer({ min: 0x2000, max: 0x2070 }), fc.nat(0xffff))
const anyText = fc.array(anyUnit, { maxLength: 60 }).map((units) => String.fromCharCode(...units))

describe('plain text', () => {
  it('is one bounded line, and unchanged if nothing needs escaping', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = toPlainText(text, 20)
        expect(plain).not.toMatch(unprintable)
        expect(plain.length).toBeLessThan(20 * 6 + 40)
        if (text.length <= 20 && !unprintable.test(text)) expect(plain).toBe(text)
      }),
    )
  })
})
