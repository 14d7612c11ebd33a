import type { Issue } from '@trestle/protocol'
import { splitPath } from '../../base/json-pointer.ts'
import type { Verdict } from '../../schema/compiled-schema.ts'
import { valueAt, withValues } from '../../schema/value-path.ts'
import { toOtherValues } from './values/other-values.ts'

const maxChecks = 80

/** What a sample came to. */
export type FitVerdict = Verdict & { readonly plain?: unknown }

/**
 * Varies a sample where its schema names a fault, until it fits: a schema may ask for what no JSON Schema shows. It is
 * checked 80 times at most.
 *
 * @param sample - Plain data; it is not changed.
 * @param refused - What the schema says of it.
 * @param check - Asks the schema.
 * @returns The verdict of data that fits, with that data; else the first verdict.
 */
export async function fitSample(
  sample: unknown,
  refused: readonly [Issue, ...Issue[]],
  check: (value: unknown) => Verdict | Promise<Verdict>,
): Promise<FitVerdict> {
  let current = sample
  let issues: readonly Issue[] = refused
  let checks = 0
  const tryAt = async (path: string): Promise<FitVerdict | 'better' | undefined> => {
    const keys = splitPath(path)
    for (const other of toOtherValues(valueAt(current, keys))) {
      if (checks++ >= maxChecks) return undefined
      const plain = withValues(current, [[keys, other]])
      const verdict = await check(plain)
      if (!verdict.issues) return { ...verdict, plain }
      if (verdict.issues.some((issue) => issue.path === path || issue.path.startsWith(`${path}/`))) continue
      current = plain
      issues = verdict.issues
      return 'better'
    }
    return undefined
  }
  for (let isBetter = true; isBetter; ) {
    isBetter = false
    for (const path of new Set(issues.map((issue) => issue.path))) {
      const found = await tryAt(path)
      if (found !== undefined && found !== 'better') return found
      isBetter = found === 'better'
      if (isBetter) break
    }
  }
  return { issues: refused }
}
