import type { TestContext } from 'vitest'

/** One engine for all tests of a `describe`; call `end` after the last of them. */
export interface SharedEngine {
  /** Stands in for the context of a single test. */
  readonly context: Pick<TestContext, 'onTestFinished' | 'skip'>
  /** Why the tests are skipped; empty when they are not. */
  readonly why: () => string
  /** Ends what was made. */
  end(): Promise<void>
}

/** Creates the context of an engine that several tests share. */
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
