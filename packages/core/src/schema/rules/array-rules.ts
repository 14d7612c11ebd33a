import type { JsonObject } from '@trestle/protocol'
import { joinPath } from '../../base/json-pointer.ts'
import { anything, leafRule, type Rule, type RuleCompiler } from './rule.ts'
import { hasUniqueItems } from './unique-items.ts'

/** The keywords for lists. */
export const arrayRules: Readonly<Record<string, RuleCompiler>> = {
  prefixItems: (schema, context) => tupleRule((schema['prefixItems'] as readonly unknown[]).map(context.compile)),
  items(schema, context) {
    const items = schema['items']
    if (Array.isArray(items)) return schema['prefixItems'] ? context.refuse() : tupleRule(items.map(context.compile))
    const prefix = schema['prefixItems']
    return restRule(context.compile(items), Array.isArray(prefix) ? prefix.length : 0)
  },
  additionalItems(schema, context) {
    const items = schema['items']
    if (schema['prefixItems']) return context.refuse()
    // Draft 7 only uses it next to a list of schemas; a single schema covers all items.
    if (items !== undefined && !Array.isArray(items)) return anything
    if (items === undefined) return context.refuse()
    return restRule(context.compile(schema['additionalItems']), items.length)
  },
  minItems: (schema) => sizeRule(schema, 'minItems', (size, limit) => size >= limit),
  maxItems: (schema) => sizeRule(schema, 'maxItems', (size, limit) => size <= limit),
  uniqueItems: (schema) =>
    schema['uniqueItems'] === true
      ? leafRule(schema, 'uniqueItems', (value) => !Array.isArray(value) || hasUniqueItems(value))
      : anything,
}

/** Applies a separate rule to each item; the numbers of items and rules can differ. */
function tupleRule(rules: readonly Rule[]): Rule {
  return {
    accepts: (value) =>
      !Array.isArray(value) || rules.every((rule, index) => index >= value.length || rule.accepts(value[index])),
    explain(value, path, issues) {
      if (!Array.isArray(value)) return
      for (const [index, rule] of rules.entries()) {
        if (index < value.length) rule.explain(value[index], joinPath(path, index), issues)
      }
    },
  }
}

/** Applies one rule to all items from an index on. */
function restRule(rule: Rule, start: number): Rule {
  return {
    accepts(value) {
      if (!Array.isArray(value)) return true
      for (let index = start; index < value.length; index++) if (!rule.accepts(value[index])) return false
      return true
    },
    explain(value, path, issues) {
      if (!Array.isArray(value)) return
      for (let index = start; index < value.length; index++) rule.explain(value[index], joinPath(path, index), issues)
    },
  }
}

function sizeRule(schema: JsonObject, keyword: string, test: (size: number, limit: number) => boolean): Rule {
  const limit = Number(schema[keyword])
  return leafRule(schema, keyword, (value) => !Array.isArray(value) || test(value.length, limit))
}
