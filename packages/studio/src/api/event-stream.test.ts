import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEventStream, type StreamEvent } from './event-stream.ts'

test('parses events the same way, however they are split into chunks', async () => {
  const events = fc.array(
    fc.record({
      id: fc.stringMatching(/^[a-z0-9]{0,8}$/),
      event: fc.stringMatching(/^[a-z.]{1,8}$/),
      data: fc.jsonValue(),
    }),
    { maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(events, fc.array(fc.nat(60), { maxLength: 12 }), async (sent, cuts) => {
      const text = sent
        .map(({ id, event, data }) => `: still here\n\nid: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        .join('')
      const bytes = new TextEncoder().encode(`: connected\n\n${text}`)
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const size = Math.max(1, cuts.shift() ?? bytes.length)
          if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
          else controller.close()
          at += size
        },
      })
      const received: StreamEvent[] = []
      for await (const event of readEventStream(body)) received.push(event)
      expect(received).toEqual(sent.map((event) => ({ ...event, data: JSON.parse(JSON.stringify(event.data)) })))
    }),
  )
})
