import { isObject, type JsonObject, joinPath } from '@trestle/protocol'
import { keywordMessage } from './keyword-message.ts'
import { requireKeys } from './required-rule.ts'
import {
  anything,
  type Evaluated,
  evaluate,
  evaluateAll,
  type Rule,
  type RuleCompiler,
  type SchemaContext,
} from './rule.ts'

/** The keywords that apply under a condition. */
export const conditionalRules: Readonly<Record<string, RuleCompiler>> = {
  if({ schema, compile }) {
    const compileOptional = (keyword: string): Rule => (schema[keyword] === undefined ? anything : compile(keyword))
    const [condition, onTrue, onFalse] = [compile('if'), compileOptional('then'), compileOptional('else')]
    const branchOf = (value: unknown): Rule => (condition.accepts(value) ? onTrue : onFalse)
    return {
      accepts: (value) => branchOf(value).accepts(value),
      explain: (value, path, issues) => branchOf(value).explain(value, path, issues),
      evaluate(value, evaluated) {
        const byCondition: Evaluated = new Set()
        const isMet = evaluate(condition, value, byCondition)
        if (isMet) for (const key of byCondition) evaluated.add(key)
        return evaluate(isMet ? onTrue : onFalse, value, evaluated)
      },
    }
  },
  dependentRequired: (context) => dependentRule(context, 'dependentRequired'),
  dependentSchemas: (context) => dependentRule(context, 'dependentSchemas'),
  // Until draft 7, one keyword had both kinds of dependencies.
  dependencies: (context) => dependentRule(context, 'dependencies'),
}

/** Applies rules to the objects that have a key. */
function dependentRule(context: SchemaContext, keyword: string): Rule {
  const dependencies = context.schema[keyword] as JsonObject
  const rules = Object.keys(dependencies).map((key): readonly [string, Rule] => [
    key,
    Array.isArray(dependencies[key]) ? requireBecauseOf(key, context, keyword) : context.compile(keyword, key),
  ])
  const rulesFor = (value: unknown): readonly Rule[] =>
    isObject(value) ? rules.flatMap(([key, rule]) => (Object.hasOwn(value, key) ? [rule] : [])) : []
  return {
    accepts: (value) => rulesFor(value).every((rule) => rule.accepts(value)),
    explain(value, path, issues) {
      for (const rule of rulesFor(value)) rule.explain(value, path, issues)
    },
    evaluate: (value, evaluated) => evaluateAll(rulesFor(value), value, evaluated),
  }
}

/** Requires keys because of another key. */
function requireBecauseOf(present: string, { schema, at }: SchemaContext, keyword: string): Rule {
  return requireKeys({
    keys: (schema[keyword] as JsonObject)[present] as readonly string[],
    message: keywordMessage(keyword, schema, `is required if "${present}" is present`),
    schemaPath: joinPath(`${at}/${keyword}`, present),
  })
}
