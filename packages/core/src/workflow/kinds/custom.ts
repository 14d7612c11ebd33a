import type { CustomStep } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'

/** Runs code of the app once; its result is stored. */
export const custom: StepKindRow<CustomStep> = { type: 'custom', empty: {} }
