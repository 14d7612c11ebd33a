import type { Schema } from '../../schema/schema-types.ts'
import type { FailureOptions } from '../kinds/outcome.ts'
import type { RetryOptions } from '../kinds/retries.ts'
import type { HandlerContext, SkipContext } from '../kinds/signature.ts'
import type { StepKind } from './step-kinds.ts'

/** A step call of any kind, with untyped options. */
export interface StepCall {
  readonly kind: StepKind
  readonly id: string
  readonly handler: (controls: unknown, context: HandlerContext) => unknown
  readonly options: AnyStepOptions
}

/** Options of any step kind, untyped. */
export interface AnyStepOptions extends RetryOptions, FailureOptions {
  readonly controlSchema?: Schema
  readonly outputSchema?: Schema
  readonly schema?: Schema
  readonly await?: boolean
  readonly skip?: (controls: unknown, context: SkipContext) => unknown
  readonly providers?: Readonly<Record<string, (input: { controls: unknown; outputs: unknown }) => unknown>>
  readonly disableOutputSanitization?: boolean
}
