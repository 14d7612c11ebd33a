/** Headers of a stream of server-sent events. */
export const eventStreamHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
})

/** One server-sent event. */
export interface ServerSentEvent {
  /** What the receiver goes on after, once the connection was lost; absent where it is told again anyway. */
  readonly id?: string
  /** The kind of event. */
  readonly event: string
  /** What it says, any JSON. */
  readonly data: unknown
}

/** Connections without traffic are cut by proxies; a comment keeps them open. */
const keepAliveMs = 15_000
const keepAlive = ': still here\n\n'

/**
 * Returns events as the text of a stream, with a comment whenever nothing happens for a while.
 *
 * @param events - The events as they happen.
 * @param everyMs - How long nothing may happen. @default 15000
 */
export async function* toEventStream(
  events: AsyncIterable<ServerSentEvent>,
  everyMs: number = keepAliveMs,
): AsyncGenerator<string, void, undefined> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    // The first bytes tell the receiver that it is connected.
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

/** JSON holds no line ends, so one line of data is enough. */
function toText({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * Returns the events of several sources as they come, until all have ended.
 *
 * @param sources - The sources.
 */
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
    // What is still under way may fail after nobody listens any more.
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
