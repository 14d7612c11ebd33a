export type { LambdaEvent } from './lambda-event.ts'
export { type LambdaHandler, type LambdaReply, serve } from './serve.ts'
