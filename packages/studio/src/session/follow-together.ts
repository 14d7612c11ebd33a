import { readEventStream, type StreamEvent } from '../api/event-stream.ts'

/** Options for following an environment's events. */
export interface Following {
  /** The name of the stream, which all tabs of the browser share. */
  readonly name: string
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Called with each event. */
  receive(event: StreamEvent): void
  /** Called when events may have been missed. */
  miss(): void
  /** Ends it. */
  readonly signal: AbortSignal
}

const reconnectMs = 2000
const opened = 'opened'

/**
 * Follows events until the signal aborts. One tab reads the stream and forwards events to the others, because a browser
 * opens at most six connections to a server.
 *
 * @param options - The stream and its listeners.
 */
export async function followTogether(options: Following): Promise<void> {
  const { name, receive, miss, signal } = options
  // Locks are only available in secure contexts; otherwise each tab reads the stream itself.
  const tabs = 'locks' in navigator ? new BroadcastChannel(name) : undefined
  if (tabs)
    tabs.onmessage = ({ data }: MessageEvent<StreamEvent | typeof opened>) => {
      if (data === opened) miss()
      else receive(data)
    }
  signal.addEventListener('abort', () => tabs?.close())
  for (let missed = false; !signal.aborted; missed = true) {
    try {
      if (!tabs) await readOnce(options, tabs, missed)
      else if (!(await inTurn(name, { ifAvailable: true }, () => readOnce(options, tabs, missed))))
        await inTurn(name, { signal }, () => readOnce(options, tabs, true))
    } catch {
      // A lost connection is reopened below, by the first tab that gets the lock.
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs))
  }
}

function inTurn(name: string, options: LockOptions, read: () => Promise<void>): Promise<boolean> {
  return navigator.locks.request(name, options, async (lock) => {
    if (lock) await read()
    return lock !== null
  })
}

async function readOnce(
  { open, receive, miss, signal }: Following,
  tabs: BroadcastChannel | undefined,
  missed: boolean,
): Promise<void> {
  const stream = await open(signal)
  // Events that occurred during the interruption were missed.
  tabs?.postMessage(opened)
  if (missed) miss()
  for await (const event of readEventStream(stream)) {
    tabs?.postMessage(event)
    receive(event)
  }
}
