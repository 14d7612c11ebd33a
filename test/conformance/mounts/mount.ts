import type { BridgeOptions } from '@trestle/core'

/** A served bridge. */
export interface Mounted {
  /** Its URL without a query; `inprocess:` without a server. */
  readonly url: string
  close(): Promise<void>
}

/** What a server or framework does with a request before the bridge receives it, and why. */
export interface InFront {
  /** The possible answers; `close` means a connection closed without an answer, `silent` no answer. */
  readonly answers: readonly (number | 'close' | 'silent')[]
  readonly reason: string
}

/** A way of serving a bridge, the parameter of the suite. */
export interface Mount {
  readonly name: string
  /**
   * How the bridge receives a body: `stream`, it reads the bytes itself; `kept`, the bytes were read before and kept;
   * `text`, the text was kept; `parsed`, only the parsed object is available.
   */
  readonly body: 'stream' | 'kept' | 'text' | 'parsed'
  /** Whether JSON is parsed before the bridge, so that invalid JSON never reaches it. @default false */
  readonly parsesJson?: boolean
  /** Requests, by the name of their case, that are answered before the bridge. */
  readonly inFront: Readonly<Record<string, InFront>>
  /** Slow one-time work, such as building an app. */
  prepare?(): Promise<void>
  mount(options: BridgeOptions): Promise<Mounted>
}
