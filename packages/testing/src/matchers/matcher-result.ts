import type { Equals } from '../report/mismatch.ts'

/** The result that a matcher returns to its test runner. */
export interface MatcherResult {
  /** Whether the value matches. */
  readonly pass: boolean
  /** Returns the message of a failed test. */
  readonly message: () => string
}

/** The `this` of a matcher. */
export interface MatcherContext {
  /** Compares two values as the runner does. */
  equals?(actual: unknown, expected: unknown): boolean
  /** Whether the expectation is negated. */
  readonly isNot?: boolean
}

/**
 * Returns the runner's comparison. Bun's comparison only works as a method.
 *
 * @param context - The `this` of the matcher.
 */
export function equalsOf(context: MatcherContext | undefined): Equals | undefined {
  return context?.equals && ((actual, expected) => context.equals?.(actual, expected) === true)
}
