/**
 * A promise that never settles. Always a new one: a shared one would keep every frame that ever waited for it.
 */
export function never(): Promise<never> {
  return new Promise<never>(() => undefined)
}
