import { noteInside, quietMsOf, type RealWork } from '../context/real-work.ts'
import type { VirtualClock } from '../context/virtual-clock.ts'

// Saved before a test can replace them.
const { setImmediate, setTimeout, performance } = globalThis
const realNow = performance.now.bind(performance)

// How long the code must be idle before time is skipped. If the turn's time limit is the only timer, the agent waits
// for something that cannot be observed, such as a loading module, or for nothing.
const patienceMs = { timers: 20, limit: 1000 }
// Turns of the event loop that settle work started by a timer.
const settlingRounds = 3

export interface Passing {
  /** The clock of the conversation. */
  readonly clock: VirtualClock
  /** The observable work of its code. */
  readonly work: RealWork
}

/**
 * Lets time pass until a turn has ended. Time is skipped if the agent only waits for timers; short waits, and waits
 * during external work, take real time.
 *
 * @param end - The promise to wait for; it must never reject.
 */
export async function passTimeUntil({ clock, work }: Passing, end: Promise<unknown>): Promise<void> {
  const counted = clock.count
  let ended = false
  void end.then(() => {
    ended = true
  })
  noteInside(work)
  let lastMs = realNow()
  for (;;) {
    await settle()
    if (ended) return
    const nextMs = clock.nextMs()
    const leftMs = nextMs === undefined ? Number.POSITIVE_INFINITY : nextMs - clock.nowMs - (realNow() - lastMs)
    const patience = clock.countSince(counted) > 1 ? patienceMs.timers : patienceMs.limit
    if (leftMs > 0 && quietMsOf(work) < Math.min(patience, leftMs))
      await new Promise((resolve) => setTimeout(resolve, 1))
    else if (nextMs === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    else {
      clock.fireNext()
      noteInside(work)
      lastMs = realNow()
    }
  }
}

/** Advances time between two turns, and fires timers of earlier turns. */
export async function passTime({ clock }: Passing, ms: number): Promise<void> {
  const toMs = clock.nowMs + ms
  for (let nextMs = clock.nextMs(); nextMs !== undefined && nextMs <= toMs; nextMs = clock.nextMs()) {
    clock.fireNext()
    await settle()
  }
  clock.moveTo(toMs)
}

async function settle(): Promise<void> {
  for (let round = 0; round < settlingRounds; round++) await new Promise((resolve) => setImmediate(resolve))
}
