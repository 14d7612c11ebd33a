import { noteInside, quietMsOf, type RealWork } from '../context/real-work.ts'
import type { VirtualClock } from '../context/virtual-clock.ts'

// Kept from before a test could put others in their place.
const { setImmediate, setTimeout, performance } = globalThis
const realNow = performance.now.bind(performance)

// How long nothing may happen before time is skipped. Where the only timer is the limit of the turn itself, the agent
// waits for something that cannot be seen, such as a module that is loaded, or for nothing at all.
const patienceMs = { timers: 20, limit: 1000 }
// Turns of the event loop that settle what a timer has started.
const settlingRounds = 3

export interface Passing {
  /** The clock of the conversation. */
  readonly clock: VirtualClock
  /** What its code does, and waits for outside. */
  readonly work: RealWork
}

/**
 * Lets time pass until a turn has ended. It is skipped where the agent waits for nothing but timers; a wait shorter than
 * the patience, and one beside something outside, takes the time it takes.
 *
 * @param end - What is waited for; never rejects.
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

/** Lets the time between two turns pass, with the timers that earlier turns have left. */
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
