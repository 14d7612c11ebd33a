import type { CustomStep } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'

/** Runs app code once; its result is stored. */
export const custom: StepKindRow<CustomStep> = { type: 'custom', empty: {} }
