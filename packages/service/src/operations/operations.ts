import type { AnyOperation } from './operation.ts'

/** Every operation of the API. */
export const operations: readonly AnyOperation[] = Object.freeze([])
