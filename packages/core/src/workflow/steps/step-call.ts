import type { Schema } from '../../schema/schema-types.ts'
import type { HandlerContext, SkipContext } from '../kinds/signature.ts'
import type { StepKind } from './step-kinds.ts'

/** A step call as the framework sees it: any kind, types gone. */
export interface StepCall {
  /** The kind of step. */
  readonly kind: StepKind
  /** The step's id. */
  readonly id: string
  /** The handler. */
  readonly handler: (controls: unknown, context: HandlerContext) => unknown
  /** The options, possibly none. */
  readonly options: AnyStepOptions
}

/** Options of any kind of step, types gone. */
export interface AnyStepOptions {
  readonly controlSchema?: Schema
  readonly outputSchema?: Schema
  readonly skip?: (controls: unknown, context: SkipContext) => unknown
  readonly providers?: Readonly<Record<string, (input: { controls: unknown; outputs: unknown }) => unknown>>
  readonly disableOutputSanitization?: boolean
}
