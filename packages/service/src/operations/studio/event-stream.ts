export const eventStreamHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
})

export interface ServerSentEvent {
  /** The position to resume after; absent if the event is sent again anyway. */
  readonly id?: string
  readonly event: string
  /** Any JSON value. */
  readonly data: unknown
}

/** Proxies close idle connections; comments keep them open. */
const keepAliveMs = 15_000
const keepAlive = ': still here\n\n'

/**
 * Returns events as stream text, with a comment after each idle period.
 *
 * @param everyMs - The idle period, in milliseconds. @default 15000
 */
export async function* toEventStream(
  events: AsyncIterable<ServerSentEvent>,
  everyMs: number = keepAliveMs,
): AsyncGenerator<string, void, undefined> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    // The first bytes confirm the connection.
    yield ': connected\n\n'
    for (let next = iterator.next(); ; ) {
      const result = await within(next, everyMs)
      if (result === undefined) yield keepAlive
      else if (result.done) return
      else {
        yield toText(result.value)
        next = iterator.next()
      }
    }
  } finally {
    await iterator.return?.()
  }
}

/** JSON contains no line breaks, so one data line is enough. */
function toText({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Merges the events of several sources in order of arrival, until all have ended. */
export async function* mergeEvents<TEvent>(
  ...sources: readonly AsyncGenerator<TEvent, void, undefined>[]
): AsyncGenerator<TEvent, void, undefined> {
  const advance = async (source: (typeof sources)[number]) => ({ source, result: await source.next() })
  const waiting = new Map(sources.map((source) => [source, advance(source)]))
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values())
      if (result.done) waiting.delete(source)
      else {
        waiting.set(source, advance(source))
        yield result.value
      }
    }
  } finally {
    // Pending sources may fail after the reader has disconnected.
    for (const pending of waiting.values()) pending.catch(() => undefined)
    for (const source of sources) source.return().catch(() => undefined)
  }
}

function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
