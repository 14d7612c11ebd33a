import { readEventStream, type StreamEvent } from '../api/event-stream.ts'

/** How the events of an environment are followed. */
export interface Following {
  /** Names the events: what is followed under one name is one stream for all tabs of the browser. */
  readonly name: string
  /** Opens the stream. */
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Is called with each event. */
  receive(event: StreamEvent): void
  /** Is called when events may have been missed. */
  miss(): void
  /** Ends it. */
  readonly signal: AbortSignal
}

const reconnectMs = 2000
const opened = 'opened'

/**
 * Follows events until the signal ends it. One tab reads the stream and tells the others: a browser opens six
 * connections to a service at most, so that a stream for each tab would leave none for anything else.
 *
 * @param following - What is followed, and who is told.
 */
export async function followTogether(following: Following): Promise<void> {
  const { name, receive, miss, signal } = following
  // Only a secure address has locks; elsewhere each tab reads for itself.
  const tabs = 'locks' in navigator ? new BroadcastChannel(name) : undefined
  if (tabs)
    tabs.onmessage = ({ data }: MessageEvent<StreamEvent | typeof opened>) => {
      if (data === opened) miss()
      else receive(data)
    }
  signal.addEventListener('abort', () => tabs?.close())
  for (let missed = false; !signal.aborted; missed = true) {
    try {
      if (!tabs) await readOnce(following, tabs, missed)
      else if (!(await inTurn(name, { ifAvailable: true }, () => readOnce(following, tabs, missed))))
        await inTurn(name, { signal }, () => readOnce(following, tabs, true))
    } catch {
      // A lost connection is opened again below, by whichever tab comes first.
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
  // What happened while no stream was open was told to nobody.
  tabs?.postMessage(opened)
  if (missed) miss()
  for await (const event of readEventStream(stream)) {
    tabs?.postMessage(event)
    receive(event)
  }
}
