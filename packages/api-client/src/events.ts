export { createEventsClient, type EventsClient } from './client/events-client.ts'
export type { ApiClientOptions, Region } from './config/options.ts'
export { ApiError, isApiError } from './error/error.ts'
