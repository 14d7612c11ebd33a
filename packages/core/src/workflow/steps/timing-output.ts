/** Units of a length of time. */
export type TimeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months'

/** The output of a digest step's handler: a window of a fixed length, or one that ends by a cron schedule. */
export type DigestOutput =
  | {
      readonly type?: 'regular'
      /** Length of the window in `unit`s; above 0. */
      readonly amount: number
      readonly unit: TimeUnit
      /** Groups events by this value. */
      readonly digestKey?: string
      /** Sends the first event at once when the last window lies this far back. */
      readonly lookBackWindow?: { readonly amount: number; readonly unit: TimeUnit }
      /** Moves the end into the recipient's schedule. */
      readonly extendToSchedule?: boolean
    }
  | {
      readonly type?: 'timed'
      /** When the window ends, a cron expression of five fields. */
      readonly cron: string
      readonly digestKey?: string
      readonly extendToSchedule?: boolean
    }

/** One of the triggers a digest has collected. */
export interface DigestEvent {
  /** The id of the trigger. */
  readonly id: string
  /** When it came, ISO 8601. */
  readonly time: string
  /** Its payload. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** The result of a digest that later steps see. */
export interface DigestResult {
  /** The collected triggers, oldest first. */
  readonly events: readonly DigestEvent[]
  /** How many there are. */
  readonly eventCount?: number
}

/** The output of a delay step's handler. */
export type DelayOutput =
  | {
      readonly type?: 'regular'
      /** Length of the wait in `unit`s; not negative. */
      readonly amount: number
      readonly unit: TimeUnit
      readonly extendToSchedule?: boolean
    }
  | {
      readonly type?: 'timed'
      /** When the wait ends, a cron expression of five fields. */
      readonly cron: string
      readonly extendToSchedule?: boolean
    }
  | {
      readonly type?: 'dynamic'
      /** Path of the payload field that holds the end of the wait. */
      readonly dynamicKey: string
      readonly extendToSchedule?: boolean
    }

/** The result of a delay that later steps see. */
export interface DelayResult {
  /** How long it took, in milliseconds. */
  readonly duration: number
}

/** The output of a throttle step's handler. */
export interface ThrottleOutput {
  readonly type: 'fixed' | 'dynamic'
  /** Length of the window in `unit`s, for `fixed`; above 0. */
  readonly amount?: number
  readonly unit?: 'minutes' | 'hours' | 'days'
  /** Path of the payload field that holds the window, for `dynamic`. */
  readonly dynamicKey?: string
  /** How many runs may pass in a window. */
  readonly threshold?: number
  /** Counts runs by this value. */
  readonly throttleKey?: string
}

/** The result of a throttle that later steps see. */
export interface ThrottleResult {
  /** Whether this run was held back. */
  readonly throttled: boolean
  /** How many runs the window has seen. */
  readonly executionCount?: number
  /** How many may pass. */
  readonly threshold?: number
  /** When the window began, ISO 8601. */
  readonly windowStart?: string
}
