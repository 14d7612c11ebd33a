import { addAbortSignal, type Readable, type Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { isObject } from '@trestle/protocol'
import type { ServiceAccess } from '../api/service-access.ts'
import { toProblem } from '../terminal/print-problem.ts'

/** The dependencies of a relay. */
export interface Relay {
  /** Messages from the client, one per line. */
  readonly input: Readable
  readonly output: Writable
  /** Returns the service to call; it may change between messages. */
  readonly findAccess: () => ServiceAccess
  readonly signal: AbortSignal
}

const internalError = -32_603

/**
 * Relays the Model Context Protocol between standard input/output and the `/mcp` endpoint of a service, with its key. A
 * client's configuration therefore needs no key, and keeps working when the service restarts.
 */
export async function relayStdio({ input, output, findAccess, signal }: Relay): Promise<void> {
  const pending = new Set<Promise<void>>()
  for await (const line of readLines(input, signal)) {
    if (line.trim() === '') continue
    const work = answer(line, findAccess, signal)
      .then((text) => void (text !== '' && output.write(`${text}\n`)))
      .finally(() => pending.delete(work))
    pending.add(work)
  }
  await Promise.all(pending)
}

/**
 * Yields the lines of a stream until it ends, or the signal aborts. Splits only at line feeds, while `readline` also
 * splits at U+2028 and U+2029, which JSON strings can contain.
 */
async function* readLines(input: Readable, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const chunk of addAbortSignal(signal, input)) {
      const [end = '', ...starts] = decoder.write(chunk as Buffer).split('\n')
      rest += end
      for (const start of starts) {
        yield rest
        rest = start
      }
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  yield rest + decoder.end()
}

async function answer(line: string, findAccess: Relay['findAccess'], signal: AbortSignal): Promise<string> {
  try {
    const { apiUrl, key } = findAccess()
    const response = await fetch(`${apiUrl}/mcp`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: line,
      signal,
    })
    const text = await response.text()
    if (text === '') return ''
    const reply: unknown = JSON.parse(text)
    if (isObject(reply) && reply['jsonrpc'] === '2.0') return JSON.stringify(reply)
    const said = isObject(reply) ? String(reply['message']) : text
    return toFailure(line, `The service at ${apiUrl} answered with ${response.status}: ${said}`)
  } catch (error) {
    if (signal.aborted) return ''
    const { message, fix = '' } = toProblem(error)
    const isDown = error instanceof TypeError
    return toFailure(line, isDown ? 'No service answers here. Start trestle dev in this folder.' : `${message} ${fix}`)
  }
}

/** Returns an empty text for notifications, which get no response. */
function toFailure(line: string, message: string): string {
  const id = readId(line)
  return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: { code: internalError, message } })
}

function readId(line: string): unknown {
  try {
    const message: unknown = JSON.parse(line)
    return isObject(message) ? message['id'] : undefined
  } catch {
    return null
  }
}
