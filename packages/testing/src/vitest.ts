import { expect } from 'vitest'
import type { Channel, Expected, OutputsOf } from './report/check-report.ts'
import { matchers } from './report/matchers.ts'
import type { StepFailure } from './report/run-report.ts'

/** What `expect(run)` can be asked after `import '@trestle/testing/vitest'`. */
export interface RunMatchers {
  /** Some step of the kind sent a message whose outputs are as expected. */
  toHaveSent<TChannel extends Channel>(channel: TChannel, expected?: Expected<OutputsOf<TChannel>>): void
  /** The step was left out. */
  toHaveSkipped(stepId: string): void
  /** The run came to its end without a failure. */
  toHaveCompleted(): void
  /** The step failed; a text is the failure's code. */
  toHaveFailed(stepId: string, expected?: Expected<StepFailure> | string): void
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the interface that is added to is written so.
  interface Matchers<T = any> extends RunMatchers {}
}

expect.extend(matchers)
