import { createBridge, workflow } from '@trestle/core'
import { sign } from '@trestle/protocol'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'

const secretKey = 'canary-secret-0123456789'
const canaries = [secretKey, 'canary-payload', 'canary-subscriber', 'canary-previous-key']
const failing = workflow('failing', async ({ step, payload }) => {
  await step.custom('badly', () => {
    throw new TypeError('the provider is down')
  })
  if (payload['never']) await step.custom('later', () => ({}))
})

interface Line {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly type: string; readonly message: string; readonly stack: string }
}

/** Makes calls that trigger all log messages of a bridge, and returns the log. */
async function play(options: Parameters<typeof createBridge>[0]): Promise<void> {
  let calls = 0
  const bridge = createBridge({
    workflows: [failing],
    secretKey: [secretKey, 'canary-previous-key'],
    strictAuthentication: true,
    hooks: {
      onReply: () => {
        throw new TypeError('the hook is broken')
      },
    },
    nonceStore: { claim: () => calls++ === 0 || Promise.reject(new RangeError('full')) },
    ...options,
  })
  const body = JSON.stringify({ payload: { text: 'canary-payload' }, subscriber: { email: 'canary-subscriber' } })
  const send = async (signature: string): Promise<void> => {
    const url = 'http://bridge.test/?action=execute&workflowId=failing&stepId=badly'
    await bridge.fetch(new Request(url, { method: 'POST', body, headers: { 'service-signature': signature } }))
  }
  await send(await sign(secretKey, body))
  await send(await sign(secretKey, body))
  await send('t=1,v1=canary')
}

test('pino is a valid logger: each line is JSON with level, text and the error in its fields', async () => {
  const written: string[] = []
  await play({ logger: pino({ base: null }, { write: (line: string) => void written.push(line) }) })
  createBridge({
    strictAuthentication: true,
    secretKey: '',
    logger: pino({ base: null }, { write: (line: string) => void written.push(line) }),
  })
  const lines = written.map((line) => JSON.parse(line) as Line)
  expect(lines.length).toBeGreaterThanOrEqual(4)
  const hook = lines.find(({ msg }) => msg === 'The hook onReply failed.')
  expect(hook).toMatchObject({ level: 50, err: { type: 'TypeError', message: 'the hook is broken' } })
  expect(hook?.err?.stack).toMatch(/^TypeError: the hook is broken\n\s+at /)
  const store = lines.find(({ msg }) => msg === 'The nonce store failed.')
  expect(store).toMatchObject({ level: 50, err: { type: 'RangeError', message: 'full' } })
  const keyless = lines.find(({ msg }) => msg.includes('has no secret key'))
  expect(keyless).toMatchObject({ level: 40 })
  expect(lines.map(({ level }) => level).filter((level) => level !== 40 && level !== 50)).toEqual([])
  for (const word of [...canaries, 'v1=']) expect(written.join('')).not.toContain(word)
})

test('console is a valid logger, with the text first and no empty details', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    await play({ logger: console })
    createBridge({ strictAuthentication: true, secretKey: '', logger: console })
    expect(error.mock.calls).toContainEqual(['The hook onReply failed.', expect.any(TypeError)])
    expect(error.mock.calls).toContainEqual(['The nonce store failed.', expect.any(RangeError)])
    expect(warn.mock.calls).toEqual([[expect.stringContaining('has no secret key')]])
    const written = JSON.stringify([...warn.mock.calls, ...error.mock.calls.map((call) => call.map(String))])
    for (const word of canaries) expect(written).not.toContain(word)
  } finally {
    vi.restoreAllMocks()
  }
})

test('other loggers that take the object first are valid: bunyan, fastify, a custom one', async () => {
  const taken: [string, object, string][] = []
  await play({
    logger: {
      warn: (details, message) => taken.push(['warn', details, message]),
      error: (details, message) => taken.push(['error', details, message]),
    },
  })
  expect(taken).toContainEqual(['error', { err: expect.any(TypeError) }, 'The hook onReply failed.'])
})
