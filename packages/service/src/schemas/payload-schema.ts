import { compileRules, type Rule, type RuleIssue, readSchema } from '@trestle/json-schema'
import { findPointer, splitPointer } from '@trestle/protocol'

/** An error that a schema finds in a value. */
export interface SchemaFault {
  /** The field, with path segments joined by dots; empty for the value itself. */
  readonly field: string
  /** The reason for the rejection. */
  readonly message: string
  /** JSON pointer to the rule, from the root of the schema. */
  readonly schemaPath: string
  /** The rejected value, if the field has one that is not large. */
  readonly value?: unknown
}

/** The result of a validation: errors in the value, or why the schema is unusable. */
export type SchemaAnswer = { readonly faults: readonly SchemaFault[] } | { readonly unusable: string }

/** An error in the schema itself, such as a dangling reference, so that no value can be validated against it. */
class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError'
}

const keptSchemas = 200
const maxShown = 200
const kept = new Map<string, Rule>()

/**
 * Validates a value against a JSON Schema of draft 4, 7, 2019-09 or 2020-12. Runs in the sandbox, because a pattern may
 * take forever.
 *
 * @param given - The schema as JSON, and the value.
 */
export function findFaults({ schema, value }: { readonly schema: string; readonly value: unknown }): SchemaAnswer {
  return orUnusable(() => {
    const rule = read(schema)
    const issues: RuleIssue[] = []
    if (!rule.accepts(value)) rule.explain(value, '', issues)
    return issues.map((issue) => toFault(issue, value))
  })
}

/** Checks whether values can be validated against a schema. */
export function checkSchema({ schema }: { readonly schema: string }): SchemaAnswer {
  return orUnusable(() => {
    read(schema)
    return []
  })
}

function orUnusable(work: () => readonly SchemaFault[]): SchemaAnswer {
  try {
    return { faults: work() }
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { unusable: error.message }
    // A stack overflow.
    if (error instanceof RangeError) return { unusable: 'it refers to itself endlessly, or its references multiply' }
    throw error
  }
}

/** Compiles a schema. The rules of the latest schemas are cached. */
function read(text: string): Rule {
  const cachedRule = kept.get(text)
  if (cachedRule) return cachedRule
  const result = readSchema(JSON.parse(text))
  if (result.fault !== undefined) throw new UnusableSchemaError(result.fault)
  const rule = compileRules(result.schema)
  const oldest = kept.keys().next().value
  if (kept.size >= keptSchemas && oldest !== undefined) kept.delete(oldest)
  kept.set(text, rule)
  return rule
}

function toFault({ path, message, schemaPath }: RuleIssue, root: unknown): SchemaFault {
  const value = findPointer(root, path)
  const isShown = value !== undefined && JSON.stringify(value).length <= maxShown
  return {
    field: splitPointer(path).join('.'),
    message,
    schemaPath: `#${schemaPath}`,
    ...(isShown && { value }),
  }
}
