import type { CustomStep } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'

/** Asks another service once; its answer is stored. */
export const httpRequest: StepKindRow<CustomStep> = { type: 'http_request', empty: {} }
