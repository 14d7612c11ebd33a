/** After so long without a new sign of life a process counts as dead. */
const silenceMs = 5_000
/** If the database was away a moment ago, others may need longer than this process to find it again. */
const silenceAfterOutageMs = 20_000
const afterOutageMs = 60_000
/** A process whose machine says that it is there may have been stopped, or is another one with the same number. */
const silenceOfLivingMs = 30_000
/** One look counts at most this much silence, however late it comes. */
const longestLookMs = 1_500

/** A process as it was found. */
export interface SeenProcess {
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
  look(processes: readonly SeenProcess[]): ReadonlySet<string>
  /** Forgets all silence: this process could not look, which tells nothing of the others. */
  miss(): void
}

/**
 * Creates what judges silence: it is the sum of the times between looks, so a time without looks does not count.
 *
 * @param nowMs - A clock that nobody sets: a process does not die of a change of the time.
 */
export function createSilenceWatch(nowMs: () => number): SilenceWatch {
  let seen = new Map<string, { readonly heartbeatAt: number; readonly silentMs: number }>()
  let lastLookMs = nowMs()
  let outageMs = Number.NEGATIVE_INFINITY
  return {
    look(processes) {
      const sinceMs = Math.min(nowMs() - lastLookMs, longestLookMs)
      lastLookMs = nowMs()
      const limitMs = nowMs() - outageMs < afterOutageMs ? silenceAfterOutageMs : silenceMs
      const found = processes.map(({ id, heartbeatAt, isHere }) => {
        const known = seen.get(id)
        const silentMs = known?.heartbeatAt === heartbeatAt ? known.silentMs + sinceMs : 0
        return { id, heartbeatAt, silentMs, isOver: silentMs > (isHere ? silenceOfLivingMs : limitMs) }
      })
      seen = new Map(found.map(({ id, ...rest }) => [id, rest]))
      return new Set(found.filter(({ isOver }) => isOver).map(({ id }) => id))
    },
    miss() {
      seen.clear()
      outageMs = nowMs()
    },
  }
}
