/** One server-sent event. */
export interface StreamEvent {
  /** The id from which the stream can resume. */
  readonly id: string
  /** The kind of event. */
  readonly event: string
  /** The parsed data. */
  readonly data: unknown
}

/**
 * Parses the events of a stream as they arrive.
 *
 * @param body - The body of the response.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  try {
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => splitField(line)))
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) }
}

function splitField(line: string): readonly [string, string] {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
}
