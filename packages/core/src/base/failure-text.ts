/**
 * Returns the text of whatever was thrown. Never throws itself.
 *
 * @param thrown - Anything.
 */
export function failureText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown)
  } catch {
    return typeof thrown
  }
}
