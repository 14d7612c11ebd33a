import { syncBuiltinESMExports } from 'node:module'
import { patchClock } from './patch-clock.ts'
import { patchNetwork } from './patch-network.ts'
import { patchTimers } from './patch-timers.ts'
import { watchWork } from './watch-work.ts'

/** Changes something of the process, and returns a function that changes it back. */
export type Patch = () => () => void

const patches: readonly Patch[] = [patchClock, patchTimers, watchWork, patchNetwork]
let holders = 0
let restores: readonly (() => void)[] = []

/**
 * Runs work with clock and network patched. Code that does not run on behalf of a call is not affected. The process is
 * as it was when the last concurrent work is over, however it ended.
 *
 * @param work - What to do.
 */
export async function withPatches<TResult>(work: () => Promise<TResult>): Promise<TResult> {
  if (holders++ === 0) {
    restores = patches.map((patch) => patch())
    syncBuiltinESMExports()
  }
  try {
    return await work()
  } finally {
    if (--holders === 0) {
      for (const restore of restores) restore()
      syncBuiltinESMExports()
    }
  }
}
