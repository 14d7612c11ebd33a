/** The last value is the limit of a real service. Each is long enough for most work, so that few calls wait longer. */
const silencesMs = [50, 250, 1000]

/**
 * Returns how long the next call waits for inactivity, after a call that ended while the workflow function had work in
 * progress.
 *
 * @param waitedMs - How long that call waited, in milliseconds.
 * @returns Milliseconds; `undefined` if the work takes longer than a service waits.
 */
export function longerSilence(waitedMs: number): number | undefined {
  return silencesMs.find((silenceMs) => silenceMs > waitedMs)
}
