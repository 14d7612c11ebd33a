import { isObject } from '@trestle/protocol'
import { CommandError } from '../terminal/command-error.ts'

const maxEventLength = 4 * 1024 * 1024

/**
 * Reads the data of server-sent events as they arrive.
 *
 * @throws {CommandError} An event is longer than 4 MiB, or not a JSON object.
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxEventLength) throw new CommandError('The service sent an event that is too long.')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const line = block.split('\n').find((one) => one.startsWith('data: '))
      if (line !== undefined) yield parse(line.slice('data: '.length))
    }
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new CommandError('The service sent an event that is not an object.')
  return value
}
