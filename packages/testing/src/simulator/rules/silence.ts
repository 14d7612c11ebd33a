/** The last is as long as a service waits. Each is long enough for most work, so that few calls wait longer. */
const silencesMs = [50, 250, 1000]

/**
 * Returns how long the next call waits for silence, after one that ended while the workflow function had work in
 * progress.
 *
 * @param waitedMs - How long that call waited, in milliseconds.
 * @returns Milliseconds; `undefined` if the work exceeds the limit of a service.
 */
export function longerSilence(waitedMs: number): number | undefined {
  return silencesMs.find((silenceMs) => silenceMs > waitedMs)
}
