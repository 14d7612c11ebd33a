import type { Issue } from './json/issue.ts'
import type { StepType } from './step-kinds.ts'

/** The stack of a failure in user code. */
export interface StackData {
  /** The stack as text, without absolute paths in production. */
  readonly stack: string
}

/** The step in which a failure occurred. */
export interface StepData {
  /** The id of the step. */
  readonly stepId: string
  /** The kind of step. */
  readonly type: StepType
}

/** How the service retries a failed step. Services that do not support these fields ignore them. */
export interface RetryData {
  /** The maximum number of retries. */
  readonly retries: number
  /** The delay before the first retry, in milliseconds. */
  readonly backoffMs: number
  /** Multiplies the delay before each further retry. */
  readonly backoffFactor: number
}

/** Issues in a step's controls, output, stored result or provider override. */
export interface StepIssuesData extends StepData {
  readonly issues: readonly Issue[]
}

/** The type of `data` by code; for codes not listed here, it is `null`. */
export interface ErrorData {
  RequestBodyInvalidError: readonly Issue[]
  PayloadTooLarge: { readonly limit: number; readonly source?: 'server' | 'body parser' }
  WorkflowAlreadyExistsError: { readonly workflowId: string }
  WorkflowPayloadInvalidError: readonly Issue[]
  WorkflowExecutionFailedError: StackData
  WorkflowDiscoveryFailedError: { readonly errors: readonly unknown[] }
  StepAlreadyExistsError: { readonly workflowId: string; readonly stepId: string }
  StepExecutionFailedError: StackData & StepData & Partial<RetryData>
  StepExecutionTimeoutError: { readonly timeoutMs: number } & Partial<StepData & RetryData>
  StepControlCompilationFailedError: StepData & {
    readonly path: string
    readonly message: string
    readonly line: number
    readonly column: number
  }
  ExecutionStateControlInvalidError: StepIssuesData
  ExecutionStateOutputInvalidError: StepIssuesData
  ExecutionStateResultInvalidError: StepIssuesData
  ExecutionStateCorruptError: { readonly workflowId: string; readonly stepId: string }
  ProviderNotFoundError: StepData
  ProviderExecutionFailedError: StackData & StepData & Partial<RetryData>
  ExecutionProviderOutputInvalidError: StepIssuesData
  AgentAlreadyExistsError: { readonly agentId: string }
  ApiRequestFailedError: { readonly statusCode: number; readonly message: string }
}

const statuses = {
  SignatureNotFoundError: 401,
  SigningKeyNotFoundError: 401,
  SignatureInvalidError: 401,
  SignatureExpiredError: 401,
  SignatureMismatchError: 401,
  NonceStoreUnavailableError: 503,
  MethodNotAllowedError: 405,
  InvalidActionError: 400,
  RequestBodyInvalidError: 400,
  PayloadTooLarge: 413,
  WorkflowNotFoundError: 404,
  WorkflowAlreadyExistsError: 409,
  WorkflowPayloadInvalidError: 400,
  WorkflowExecutionFailedError: 502,
  WorkflowDiscoveryFailedError: 500,
  StepNotFoundError: 404,
  StepAlreadyExistsError: 409,
  StepExecutionFailedError: 502,
  StepExecutionTimeoutError: 504,
  StepControlCompilationFailedError: 400,
  ExecutionStateControlInvalidError: 400,
  ExecutionStateOutputInvalidError: 400,
  ExecutionStateResultInvalidError: 400,
  ExecutionStateCorruptError: 400,
  ProviderNotFoundError: 404,
  ProviderExecutionFailedError: 502,
  ExecutionProviderOutputInvalidError: 400,
  AgentNotFoundError: 404,
  AgentAlreadyExistsError: 409,
  AgentBusyError: 503,
  MissingSecretKeyError: 400,
  ApiRequestFailedError: 502,
  BridgeError: 500,
} as const

/**
 * The HTTP status of every error code. It alone determines the status. Exception: `ApiRequestFailedError` can pass on a
 * 4xx from the API.
 *
 * @source bridge-protocol.md#signature, service-api.md#errors-of-the-bridge, bridge-protocol.md#replies
 */
export const errorStatuses: Readonly<typeof statuses> = Object.freeze(statuses)

/** An error code from the table. */
export type ErrorCode = keyof typeof errorStatuses

/** The type of `data` for a code. */
export type DataOf<TCode extends ErrorCode> = TCode extends keyof ErrorData ? ErrorData[TCode] : null

// A registered symbol works across copies of the package in one process, and JSON cannot forge it.
const brand = Symbol.for('trestle.coded-error')

/** An error with a code from the table. The only error class of the framework. */
export class CodedError<TCode extends ErrorCode = ErrorCode> extends Error {
  /** The code, which determines the status and the shape of `data`. */
  readonly code: TCode
  /** The HTTP status of the response. */
  readonly status: number
  /** Details, with a shape that depends on the code; `null` for codes without details. */
  readonly data: DataOf<TCode> | Readonly<Record<string, unknown>>

  /**
   * @param code - An error code from the table.
   * @param message - What is wrong, where, and how to fix it.
   * @param rest - The `data` for the code, the `cause`, and for `ApiRequestFailedError` the API's own status.
   */
  constructor(code: TCode, message: string, rest: CodedErrorRest<TCode> = {}) {
    super(message, 'cause' in rest ? { cause: rest.cause } : undefined)
    this.name = code
    this.code = code
    this.status = code === 'ApiRequestFailedError' ? (rest.status ?? errorStatuses[code]) : errorStatuses[code]
    this.data = rest.data ?? (null as DataOf<TCode>)
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Options of a {@link CodedError}. */
export interface CodedErrorRest<TCode extends ErrorCode> {
  /** Details of the failure. */
  readonly data?: DataOf<TCode> | Readonly<Record<string, unknown>>
  /** The cause of the failure; never sent to the caller. */
  readonly cause?: unknown
  /** The API's 4xx status; only used for `ApiRequestFailedError`. */
  readonly status?: number
}

/**
 * Returns whether a value is a {@link CodedError} from any copy of the package. Never throws.
 *
 * @param value - Anything that was thrown.
 * @param code - The expected code; any code if omitted.
 * @example
 * try {
 *   await orderShipped.trigger({ to: 'ada', payload })
 * } catch (error) {
 *   if (!isCodedError(error, 'WorkflowPayloadInvalidError')) throw error
 *   console.error(error.data) // [{ path: '/id', message: 'is required' }]
 * }
 */
export function isCodedError<TCode extends ErrorCode = ErrorCode>(
  value: unknown,
  code?: TCode,
): value is CodedError<TCode> {
  try {
    if (typeof value !== 'object' || value === null || Reflect.get(value, brand) !== true) return false
    return code === undefined || Reflect.get(value, 'code') === code
  } catch {
    return false
  }
}
