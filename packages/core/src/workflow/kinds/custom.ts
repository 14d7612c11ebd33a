import type { StepKindRow } from './step-kind.ts'

/** Runs app code once; its result is stored. */
export const custom: StepKindRow = { type: 'custom', empty: {} }
