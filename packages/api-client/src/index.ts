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
export type { Recipient, To, TopicRecipient, TriggerBody, TriggerResult } from './operations/events.ts'
export type {
  ApiResult,
  Call,
  CallOptions,
  Group,
  Input,
  JsonObject,
  Operation,
  Paging,
} from './operations/operation.ts'
export type { BulkSubscribers, CredentialsBody, MessageMark } from './operations/subscribers.ts'
export type { SubscriptionsBody, SubscriptionsResult } from './operations/topics.ts'
export type { CursorPage, CursorQuery, NumberedPage, PageQuery } from './resources/page.ts'
export type {
  Channel,
  ChannelCredentials,
  ChannelProvider,
  Deletion,
  EnvironmentVariable,
  Feed,
  NewSubscriber,
  Subscriber,
  SubscriberProfile,
  Topic,
  TopicV1,
} from './resources/resource.ts'
