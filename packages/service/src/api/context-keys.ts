import { invalid } from './api-error.ts'

/**
 * Returns the keys of the contexts of a body: `type:id` each, sorted.
 *
 * @param context - Types to ids, or to objects with an `id`.
 * @throws {ApiError} 422
 */
export function readContextKeys(context: Readonly<Record<string, unknown>> | undefined): readonly string[] | undefined {
  if (context === undefined) return undefined
  return Object.entries(context)
    .map(([type, value]) => {
      const id = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : value
      if (typeof id !== 'string' || id === '')
        throw invalid(`context.${type}`, 'must be an id, or an object with an id')
      return `${type}:${id}`
    })
    .sort()
}
