export { type RouteHandler, type RouteHandlers, serve } from './serve.ts'
