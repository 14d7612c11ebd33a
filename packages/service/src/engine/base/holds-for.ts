/**
 * Returns whether what is stored for some contexts applies to a run: the run has all of them.
 *
 * @param stored - The keys of the contexts, as a JSON array; `null` for all runs.
 * @param contextKeys - The keys of the run's contexts.
 */
export function holdsFor(stored: string | null, contextKeys: readonly string[]): boolean {
  return stored === null || (JSON.parse(stored) as readonly string[]).every((key) => contextKeys.includes(key))
}
