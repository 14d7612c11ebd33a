import { isObject } from '@trestle/protocol'
import type { FieldChange, ShownReply } from './difference.ts'

/** The maximum number of changed fields per step. */
const maxFields = 50

/** Returns the fields in which two replies differ: outputs by their names, overrides under `providers`. */
export function compareReplies(before: ShownReply, after: ShownReply): readonly FieldChange[] {
  const changes: FieldChange[] = []
  compareFields(before.outputs, after.outputs, { path: '', changes })
  compareFields(before.providers, after.providers, { path: 'providers', changes })
  return changes
}

interface Place {
  readonly path: string
  readonly changes: FieldChange[]
}

function compareFields(before: unknown, after: unknown, { path, changes }: Place): void {
  if (changes.length >= maxFields || Object.is(before, after)) return
  const isSameKind = Array.isArray(before) === Array.isArray(after)
  if (!isSameKind || typeof before !== 'object' || typeof after !== 'object' || !before || !after) {
    changes.push({ path, before, after })
    return
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    compareFields(own(before, name), own(after, name), {
      path: path === '' ? name : `${path}/${name}`,
      changes,
    })
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) && (isObject(value) || Array.isArray(value)) ? Reflect.get(value, name) : undefined
}
