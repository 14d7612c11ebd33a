import { isOfClass, type StepName } from '@trestle/protocol'
import type { DigestOutput, DigestResult } from '../kinds/digest.ts'
import type { TimingStep } from '../kinds/signature.ts'
import type { CallOf, StepKindRow } from '../kinds/step-kind.ts'
import * as kinds from './kinds.ts'

type Kinds = typeof kinds

/** The names under which a workflow function finds the kinds of step. */
export type StepKind = StepName

/** The kinds of step by name. */
export const stepKinds: Readonly<Record<StepKind, StepKindRow>> = Object.freeze({ ...kinds })

/** Returns whether the handler of a kind of step returns the result itself, in the shape of the option `outputSchema`. */
export function isShapedByOption(kind: StepKind): boolean {
  return isOfClass(stepKinds[kind].type, 'data')
}

type Steps = { readonly [TKind in keyof Kinds as TKind extends 'digest' ? never : TKind]: CallOf<Kinds[TKind]> }

/**
 * The steps a workflow function may start. Each takes an id, a handler and options, and returns a promise of the
 * step's result.
 */
export interface Step<TPayload = Readonly<Record<string, unknown>>> extends Steps {
  /** Collects triggers for a while. */
  readonly digest: TimingStep<DigestOutput, DigestResult<TPayload>>
}
