/** After so long without a new sign of life a process counts as dead. */
const maxSilenceMs = 5_000
/** If the database was away a moment ago, others may need longer than this process to find it again. */
const maxSilenceAfterOutageMs = 20_000
const afterOutageMs = 60_000
/** A process whose machine says that it is there may have been stopped, or is another one with the same number. */
const maxSilenceIfAliveMs = 30_000
/** One look counts at most this much silence, however late it comes. */
const maxObservedMs = 1_500

/** A process as it was found. */
export interface ObservedProcess {
  /** Identifies it. */
  readonly id: string
  /** Its last sign of life. */
  readonly heartbeatAt: number
  /** Whether it is a living process of this machine, as far as its number tells. */
  readonly isHere: boolean
}

/** For how long processes have been silent. */
export interface SilenceWatch {
  /** Takes what was found now, and returns who has been silent for too long. */
  observe(processes: readonly ObservedProcess[]): ReadonlySet<string>
  /** Forgets all silence: this process could not look, which tells nothing of the others. */
  reset(): void
}

/**
 * Creates what judges silence: it is the sum of the times between looks, so a time without looks does not count.
 *
 * @param nowMs - A clock that nobody sets: a process does not die of a change of the time.
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
