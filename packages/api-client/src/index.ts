export { createApiClient } from './client/client.ts'
export type { ApiClientOptions, Region } from './config/options.ts'
export {
  ApiError,
  type ApiErrorByCode,
  type ApiErrorCode,
  type ApiErrorRest,
  type Chunk,
  type ConstraintValidation,
  type FieldErrors,
  isApiError,
} from './error/error.ts'
export type { RateLimit, RateLimitPolicy } from './error/rate-limit.ts'
export { type ApiClient, operations } from './generated/client.ts'
export type * from './generated/resources.ts'
export type {
  ApiResult,
  Call,
  CallOptions,
  Group,
  Input,
  Operation,
  Pages,
  Paging,
  Shape,
} from './operations/operation.ts'
export type * from './resources/json-object.ts'
export type * from './resources/page.ts'
