export { bodyErrorHandler } from './body-error-handler.ts'
export { serve } from './serve.ts'
