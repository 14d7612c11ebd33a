export { type MethodHandlers, serve } from './serve.ts'
