import type { Equals } from '../report/mismatch.ts'

/** The answer of a matcher to its test runner. */
export interface MatcherResult {
  /** Whether it matches. */
  readonly pass: boolean
  /** Returns what to say when the test fails. */
  readonly message: () => string
}

/** The `this` of a matcher. */
export interface MatcherContext {
  /** Compares two values as the runner does. */
  equals?(actual: unknown, expected: unknown): boolean
  /** Whether the opposite is expected. */
  readonly isNot?: boolean
}

/**
 * Returns the runner's comparison. Bun's works on its own object only.
 *
 * @param context - The `this` of the matcher.
 */
export function equalsOf(context: MatcherContext | undefined): Equals | undefined {
  return context?.equals && ((actual, expected) => context.equals?.(actual, expected) === true)
}
