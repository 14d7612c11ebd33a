export interface StreamEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: string
}

/** The maximum length of an event; a longer one ends the stream. */
const maxEventLength = 1_000_000

/**
 * Reads server-sent events until the stream ends. Returns false if an event was too long.
 *
 * @param body - The byte stream.
 * @param onEvent - Called for each event.
 * @param onActivity - Called for any received data, including comments.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => void,
  onActivity: () => void,
): Promise<boolean> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    onActivity()
    const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r', '').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event) onEvent(event)
    }
    if (rest.length > maxEventLength) {
      void reader.cancel()
      return false
    }
  }
}

function parseEvent(block: string): StreamEvent | undefined {
  const fields = { id: undefined as string | undefined, event: 'message' }
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    if (name === 'id' || name === 'event') fields[name] = value
  }
  return data.length === 0 ? undefined : { id: fields.id, name: fields.event, data: data.join('\n') }
}
