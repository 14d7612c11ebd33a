const ioSilenceMs = 50
const gapFactor = 3

/**
 * Returns how long a run may be idle before it counts as stuck, in milliseconds: one turn of the event loop (0) where
 * the function awaits only steps, else a few times as long as it was ever silent.
 *
 * @param seen - What is known of the function.
 */
export function idleTimeoutMs(seen: { readonly awaitedIo: boolean; readonly maxGapMs: number }): number {
  return seen.awaitedIo ? ioSilenceMs + gapFactor * seen.maxGapMs : 0
}
