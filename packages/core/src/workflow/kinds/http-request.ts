import type { StepKindRow } from './step-kind.ts'

/** Calls another service once; its response is stored. */
export const httpRequest: StepKindRow = { type: 'http_request', empty: {} }
