import type { BridgeOptions } from '@trestle/core'

/** A bridge that is being served. */
export interface Mounted {
  /** The bridge's URL without a query; `inprocess:` if there is no server. */
  readonly url: string
  close(): Promise<void>
}

/** How a server or framework handles a request before it reaches the bridge, and why. */
export interface InFront {
  /**
   * The possible responses; `close` means that the connection closed without a response, `silent` that there was none.
   */
  readonly answers: readonly (number | 'close' | 'silent')[]
  readonly reason: string
}

/** A way to serve a bridge; the parameter of the suite. */
export interface Mount {
  readonly name: string
  /**
   * How the bridge receives a body: `stream`, it reads the bytes itself; `kept`, the bytes were read before and cached;
   * `text`, the text was cached; `parsed`, only the parsed object is available.
   */
  readonly body: 'stream' | 'kept' | 'text' | 'parsed'
  /** Whether JSON is parsed in front of the bridge, so that invalid JSON never reaches it. @default false */
  readonly parsesJson?: boolean
  /** Requests, by case name, that are handled before they reach the bridge. */
  readonly inFront: Readonly<Record<string, InFront>>
  /** Slow one-time work, such as building an app. */
  prepare?(): Promise<void>
  mount(options: BridgeOptions): Promise<Mounted>
}
