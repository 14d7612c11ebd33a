/** How a step with `onFailure: 'return'` ended. */
export type OutcomeOf<TResult> =
  | {
      /** `completed`: the step has a result. */
      readonly status: 'completed'
      /** The result of the step. */
      readonly result: TResult
    }
  | {
      /**
       * Skipped by its own `skip`, by preferences, or because the recipient has no address; or canceled by a request.
       */
      readonly status: 'skipped' | 'canceled'
    }
  | {
      /** `failed`: the step has an error. */
      readonly status: 'failed'
      /** Why the last attempt failed. */
      readonly error: {
        /** An error code, such as `StepExecutionFailedError`. */
        readonly code: string
        /** The error message. */
        readonly message: string
      }
    }

/** The values of the option `onFailure`. */
export type OnFailure = 'fail' | 'return'

/** What happens if a step fails, and therefore what it returns. */
export interface FailureOptions<TOnFailure extends OnFailure = OnFailure> {
  /**
   * `return`: a step returns its outcome by status, and its failure does not fail the run. `fail`: a failed step returns
   * the empty result of its kind, and the run ends as failed. @default 'fail', or for a step, that of its workflow
   */
  readonly onFailure?: TOnFailure | undefined
}

/** What a step returns: its result, or with `onFailure: 'return'` its outcome. */
export type ReturnedBy<TOnFailure extends OnFailure, TResult> = TOnFailure extends 'return'
  ? OutcomeOf<TResult>
  : TResult
