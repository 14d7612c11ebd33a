import type { BridgeOptions } from '@trestle/core'

/** A bridge that is being served. */
export interface Mounted {
  /** Where it answers, without a query; `inprocess:` for one without a server. */
  readonly url: string
  close(): Promise<void>
}

/** What a server or framework does with a request before the bridge sees it, and why. */
export interface InFront {
  /** The answers it may give; `close` stands for a connection closed without one, `silent` for none. */
  readonly answers: readonly (number | 'close' | 'silent')[]
  readonly reason: string
}

/** A way of serving a bridge; the suite takes it as its parameter. */
export interface Mount {
  readonly name: string
  /**
   * What the bridge finds of a body: `stream`, it reads the bytes itself; `kept`, something in front has read them and
   * kept them; `text`, something in front has kept the text; `parsed`, only the parsed object is left.
   */
  readonly body: 'stream' | 'kept' | 'text' | 'parsed'
  /** Whether something in front parses JSON, so that bodies that are none never reach the bridge. @default false */
  readonly parsesJson?: boolean
  /** Requests, by the name of their case, that are answered before the bridge. */
  readonly inFront: Readonly<Record<string, InFront>>
  /** Does what takes long and is needed once, such as building an app. */
  prepare?(): Promise<void>
  mount(options: BridgeOptions): Promise<Mounted>
}
