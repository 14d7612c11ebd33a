/** Returns a new promise that never settles. A shared one would keep every waiting frame in memory. */
export function never(): Promise<never> {
  return new Promise<never>(() => undefined)
}
