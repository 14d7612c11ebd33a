export { serveWork } from './serve-work.ts'
export { WorkBusyError, WorkLimitError } from './work-error.ts'
export { createWorkerPool, type Work, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'
