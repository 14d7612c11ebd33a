export { type ApiClient, createApiClient, operations } from './client/client.ts'
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
export type * from './resources/activity/event.ts'
export type * from './resources/activity/inbox.ts'
export type * from './resources/activity/message.ts'
export type * from './resources/activity/notification.ts'
export type * from './resources/bridge.ts'
export type * from './resources/channel.ts'
export type * from './resources/context.ts'
export type * from './resources/deletion.ts'
export type * from './resources/delivery.ts'
export type * from './resources/environment.ts'
export type * from './resources/json-object.ts'
export type * from './resources/page.ts'
export type * from './resources/preference.ts'
export type * from './resources/subscriber.ts'
export type * from './resources/topic.ts'
export type * from './resources/workflow.ts'
export type * from './resources/workflow-input.ts'
export type * from './resources/workflow-v1.ts'
