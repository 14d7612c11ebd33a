import { syncBuiltinESMExports } from 'node:module'
import { patchClock } from './patch-clock.ts'
import { patchNetwork } from './patch-network.ts'
import { patchTimers } from './patch-timers.ts'
import { patchTurns } from './patch-turns.ts'
import type { Replacement } from './replace-property.ts'
import { watchWork } from './watch-work.ts'

/** Patches the process until the returned replacement is restored. */
export type Patch = () => Replacement

const patches: readonly Patch[] = [patchClock, patchTimers, patchTurns, watchWork, patchNetwork]
let holders = 0
let installed: readonly Replacement[] = []

/**
 * Runs work with clock and network patched. Code that does not run on behalf of a call is not affected. The patches are
 * removed when the last concurrent work has ended, whether it succeeded or failed.
 */
export async function withPatches<TResult>(work: () => Promise<TResult>): Promise<TResult> {
  holders++
  install()
  try {
    return await work()
  } finally {
    if (--holders === 0) {
      for (const one of installed) one.restore()
      installed = []
      syncBuiltinESMExports()
    }
  }
}

/**
 * The work of a test that timed out can hold the patches indefinitely, while fake timers are installed and removed.
 * Lost patches are installed again, so that later tests have them.
 */
function install(): void {
  if (installed.length > 0 && installed.every(({ isInPlace }) => isInPlace)) return
  installed = patches.map((patch, index) => {
    const there = installed[index]
    if (there?.isInPlace) return there
    there?.restore()
    return patch()
  })
  syncBuiltinESMExports()
}
