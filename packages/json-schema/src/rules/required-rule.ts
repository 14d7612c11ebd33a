import { isObject, joinPath } from '@trestle/protocol'
import { addIssue, type Rule } from './rule.ts'

/** Keys that an object must have. */
export interface RequiredKeys {
  readonly keys: readonly string[]
  /** The message for a missing key. */
  readonly message: string
  /** JSON pointer to the keyword that requires them. */
  readonly schemaPath: string
}

/** Reports each missing key at its own path. */
export function requireKeys({ keys, message, schemaPath }: RequiredKeys): Rule {
  return {
    accepts: (value) => !isObject(value) || keys.every((key) => Object.hasOwn(value, key)),
    explain(value, path, issues) {
      if (!isObject(value)) return
      for (const key of keys)
        if (!Object.hasOwn(value, key)) addIssue(issues, { path: joinPath(path, key), message, schemaPath })
    },
  }
}
