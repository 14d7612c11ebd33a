import type { CustomStep } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'

/** Calls another service once; its response is stored. */
export const httpRequest: StepKindRow<CustomStep> = { type: 'http_request', empty: {} }
