import type { TestContext } from 'vitest'

/** One engine for all tests of a `describe`. Call `end` after the last test. */
export interface SharedEngine {
  /** Replaces the context of a single test. */
  readonly context: Pick<TestContext, 'onTestFinished' | 'skip'>
  /** Why the tests are skipped; empty if they are not. */
  readonly why: () => string
  /** Ends everything that was created. */
  end(): Promise<void>
}

/** Creates the context of a shared engine. */
export function shareEngine(): SharedEngine {
  const ends: (() => unknown)[] = []
  let why = ''
  const skip = (note?: unknown): never => {
    why = String(note ?? 'skipped')
    throw new Error(why)
  }
  const context = { onTestFinished: (end: () => unknown) => ends.unshift(end), skip }
  return {
    context: context as unknown as SharedEngine['context'],
    why: () => why,
    async end() {
      for (const end of ends) await end()
    },
  }
}
