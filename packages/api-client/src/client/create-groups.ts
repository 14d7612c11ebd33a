import { createCall } from '../call/create-call.ts'
import { type ApiClientOptions, resolveOptions } from '../config/options.ts'
import type { Operation } from '../operations/operation.ts'

/**
 * Creates the functions for groups of operations.
 *
 * @param operations - The operations by group and name.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an invalid option.
 */
export function createGroups(
  operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  options: ApiClientOptions,
): object {
  const resolved = resolveOptions(options)
  const groups = Object.entries(operations).map(([name, rows]) => {
    const calls = Object.entries(rows).map(([call, row]) => [call, createCall(row, resolved)])
    return [name, Object.freeze(Object.fromEntries(calls))]
  })
  return Object.freeze(Object.fromEntries(groups))
}
