import { compileRules, publishSchema, type Rule, type RuleIssue, readSchema } from '@trestle/json-schema'
import type { Issue } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'
import { compileDefaults } from './fill-defaults.ts'

/**
 * Compiles a JSON Schema. The schema is checked immediately; closures are created at the first validation.
 *
 * @param given - The user's schema, which is not modified.
 * @throws TypeError - The value is not a JSON Schema; the message contains the location.
 */
export function compileJsonSchema(given: unknown): CompiledSchema {
  const read = readSchema(given)
  if (read.fault !== undefined) throw new TypeError(`The schema is not a JSON Schema: ${read.fault}.`)
  const { schema, refers } = read
  let rule: Rule | undefined
  let published: ReturnType<typeof publishSchema> | undefined
  let publishedRule: Rule | undefined
  let filler: ReturnType<typeof compileDefaults> | null = null
  const fill = (value: unknown): unknown => {
    if (filler === null) filler = compileDefaults(schema)
    return filler ? filler(value) : value
  }
  const jsonSchema = (): ReturnType<typeof publishSchema> => {
    published ??= publishSchema(schema, { refers })
    return published
  }
  return {
    given: true,
    transforms: false,
    prepare() {},
    jsonSchema,
    fill,
    check(value) {
      try {
        const filled = fill(value)
        rule ??= compileRules(schema)
        if (rule.accepts(filled)) return { value: filled }
        // The published form is more compact: an enum instead of alternative constants.
        publishedRule ??= compileRules(jsonSchema())
        return explainBy([publishedRule, rule], filled)
      } catch (error) {
        return { issues: [{ path: '', message: `cannot be checked: ${toThrown(error).message}` }] }
      }
    },
  }
}

/** Returns the issues of a value, without the locations in the schema, which callers of a bridge do not see. */
export function findIssues(rule: Rule, value: unknown): readonly Issue[] {
  const issues: RuleIssue[] = []
  rule.explain(value, '', issues)
  return issues.map(({ path, message }) => ({ path, message }))
}

function explainBy(rules: readonly Rule[], value: unknown): Verdict {
  for (const rule of rules) {
    const [first, ...rest] = findIssues(rule, value)
    if (first) return { issues: [first, ...rest] }
  }
  return { issues: [{ path: '', message: 'is not allowed' }] }
}
