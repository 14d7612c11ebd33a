import { unknownKeyMessage } from '@trestle/json-schema'
import { findPath, type Issue, isObject, splitPointer } from '@trestle/protocol'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'

/** The maximum number of validations: each lists 50 issues, so more than 1000 unknown keys are an error. */
const maxRounds = 20

/** A value without its unknown keys, and its validation result. */
export interface Pruned<TValue> {
  readonly value: TValue
  readonly verdict: Verdict
}

/**
 * Removes the keys that a value's schema rejects as unknown, and validates the value again.
 *
 * @param checked - The value, which is not modified, and its validation result.
 * @param onDrop - Receives the JSON pointer of each removed key.
 */
export function dropUnknownKeys<TValue>(
  schema: CompiledSchema,
  checked: Pruned<TValue>,
  onDrop: (path: string) => void,
): Pruned<TValue> | Promise<Pruned<TValue>> {
  return unknownPaths(checked.verdict).length === 0 ? checked : prune(schema, checked, onDrop)
}

async function prune<TValue>(
  schema: CompiledSchema,
  checked: Pruned<TValue>,
  onDrop: (path: string) => void,
): Promise<Pruned<TValue>> {
  const value = structuredClone(checked.value)
  let { verdict } = checked
  for (let round = 0; round < maxRounds; round++) {
    const paths = unknownPaths(verdict)
    if (paths.length === 0) break
    for (const path of paths) {
      removeKey(value, splitPointer(path))
      onDrop(path)
    }
    verdict = await schema.check(value)
  }
  return { value, verdict }
}

function unknownPaths({ issues }: Verdict): readonly string[] {
  const all: readonly Issue[] = issues ?? []
  return all
    .filter(({ path, message }) => path !== '' && message === unknownKeyMessage(splitPointer(path).at(-1) ?? ''))
    .map(({ path }) => path)
}

function removeKey(value: unknown, keys: readonly string[]): void {
  const parent = findPath(value, keys.slice(0, -1))
  if (isObject(parent)) Reflect.deleteProperty(parent, keys.at(-1) ?? '')
}
