export { type ApiClient, createApiClient, operations } from './client.ts'
export {
  ApiError,
  type ApiErrorByCode,
  type ApiErrorCode,
  type ApiErrorRest,
  type Chunk,
  type ConstraintValidation,
  type FieldErrors,
  isApiError,
} from './error.ts'
export type { ApiResult, Call, CallOptions, Group, Input, JsonObject, Operation, Paging } from './operation.ts'
export type { Recipient, To, TopicRecipient, TriggerBody, TriggerResult } from './operations/events.ts'
export type { BulkSubscribers, CredentialsBody, MessageMark } from './operations/subscribers.ts'
export type { SubscriptionsBody, SubscriptionsResult } from './operations/topics.ts'
export type { ApiClientOptions, Region } from './options.ts'
export type { CursorPage, CursorQuery, NumberedPage, PageQuery } from './page.ts'
export type { RateLimit, RateLimitPolicy } from './rate-limit.ts'
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
} from './resource.ts'
