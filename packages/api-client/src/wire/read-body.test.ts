import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody } from './read-body.ts'

const whole = { maxBytes: 1e9, mayCut: false }

/** A response whose body consists of the chunks that a function returns. */
const inPieces = (next: () => Uint8Array | undefined): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        const piece = next()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    }),
  )

const bytesIn = (pieces: readonly Uint8Array[]): Response => {
  const left = [...pieces]
  return inPieces(() => left.shift())
}

describe('a body', () => {
  it('gives the same text however it is split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(8)), async (text, sizes) => {
        let rest = new TextEncoder().encode(text)
        const pieces = sizes.map((size) => {
          const piece = rest.slice(0, size)
          rest = rest.slice(size)
          return piece
        })
        const expected = new TextDecoder().decode(new TextEncoder().encode(text))
        expect(await readBody(bytesIn([...pieces, rest]), whole)).toEqual({ text: expected, isCut: false })
      }),
    )
  })

  it('is truncated or rejected at exactly the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(300), { maxLength: 9 }),
        fc.integer({ min: 1, max: 900 }),
        async (sizes, maxBytes) => {
          const length = sizes.reduce((sum, size) => sum + size, 0)
          const response = () => bytesIn(sizes.map((size) => new Uint8Array(size).fill(120)))
          const cut = await readBody(response(), { maxBytes, mayCut: true })
          expect(cut).toEqual({ text: 'x'.repeat(Math.min(length, maxBytes)), isCut: length > maxBytes })
          const strict = readBody(response(), { maxBytes, mayCut: false })
          if (length <= maxBytes) expect((await strict).text).toHaveLength(length)
          else await expect(strict).rejects.toMatchObject({ code: 'AnswerTooLarge' })
        },
      ),
    )
  })

  it.each([[true], [false]])('is canceled if no more is read (truncation allowed: %j)', async (mayCut) => {
    let isCanceled = false
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        isCanceled = true
      },
    })
    await readBody(new Response(stream), { maxBytes: 15, mayCut }).catch(() => {})
    expect(isCanceled).toBe(true)
  })

  it('contains only the received part if it is incomplete and incomplete bodies are allowed', async () => {
    const broken = () => {
      let count = 0
      return inPieces(() => {
        if (count++ === 2) throw new Error('broken')
        return new TextEncoder().encode('ab')
      })
    }
    expect(await readBody(broken(), { maxBytes: 99, mayCut: true })).toEqual({ text: 'abab', isCut: true })
    await expect(readBody(broken(), whole)).rejects.toThrow('broken')
  })

  it('needs no more memory than its own size, for any chunk size', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const piece = Uint8Array.of(120)
    const pieces = 500_000
    let count = 0
    let before = 0
    let after = 0
    const response = inPieces(() => {
      count += 1
      if (count === 1 || count === pieces) collect()
      if (count === 1) before = process.memoryUsage().heapUsed
      if (count === pieces) after = process.memoryUsage().heapUsed
      return count > pieces ? undefined : piece
    })
    expect((await readBody(response, whole)).text).toHaveLength(pieces)
    expect(after - before).toBeLessThan(4 * 1024 * 1024)
  }, 120_000)
})
