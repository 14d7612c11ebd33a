/** A process without a heartbeat for this long counts as dead. */
const maxSilenceMs = 5_000
/** After an outage of the database, other processes may need longer than this one to reconnect. */
const maxSilenceAfterOutageMs = 20_000
const afterOutageMs = 60_000
/** A process that its machine reports as alive may be suspended, or another process with the same id. */
const maxSilenceIfAliveMs = 30_000
/** The maximum silence that one check adds, even if it is late. */
const maxObservedMs = 1_500

/** A registered process at the time of a check. */
export interface ObservedProcess {
  readonly id: string
  /** The time of its last heartbeat. */
  readonly heartbeatAt: number
  /** Whether it was started on this machine. */
  readonly isHere: boolean
}

/** Measures how long processes have been silent. */
export interface SilenceWatch {
  /** Records the current heartbeats, and returns the ids of processes that have been silent for too long. */
  observe(processes: readonly ObservedProcess[]): ReadonlySet<string>
  /** Clears all measured silence, because this process could not check and knows nothing about the others. */
  reset(): void
}

/**
 * Creates a silence watch. It adds up the time between checks, so time without checks does not count.
 *
 * @param nowMs - A monotonic clock, because a change of the system time must not declare processes dead.
 */
export function createSilenceWatch(nowMs: () => number): SilenceWatch {
  let lastObserved = new Map<string, { readonly heartbeatAt: number; readonly silentMs: number }>()
  let lastLookMs = nowMs()
  let outageMs = Number.NEGATIVE_INFINITY
  return {
    observe(processes) {
      const sinceMs = Math.min(nowMs() - lastLookMs, maxObservedMs)
      lastLookMs = nowMs()
      const limitMs = nowMs() - outageMs < afterOutageMs ? maxSilenceAfterOutageMs : maxSilenceMs
      const observed = processes.map(({ id, heartbeatAt, isHere }) => {
        const previous = lastObserved.get(id)
        const silentMs = previous?.heartbeatAt === heartbeatAt ? previous.silentMs + sinceMs : 0
        return { id, heartbeatAt, silentMs, isOver: silentMs > (isHere ? maxSilenceIfAliveMs : limitMs) }
      })
      lastObserved = new Map(observed.map(({ id, ...rest }) => [id, rest]))
      return new Set(observed.filter(({ isOver }) => isOver).map(({ id }) => id))
    },
    reset() {
      lastObserved.clear()
      outageMs = nowMs()
    },
  }
}
