import { joinPath } from '@trestle/protocol'
import { hasUniqueItems } from './json-key.ts'
import { keywordMessage } from './keyword-message.ts'
import { addIssue, anything, leafRule, type Rule, type RuleCompiler, type SchemaContext } from './rule.ts'

/** The keywords for lists. */
export const arrayRules: Readonly<Record<string, RuleCompiler>> = {
  prefixItems: (context) => tupleRule(context, 'prefixItems', 0),
  items(context) {
    const start = lengthOf(context, 'prefixItems')
    if (Array.isArray(context.schema['items'])) return tupleRule(context, 'items', start)
    return restRule(context.compile('items'), start)
  },
  additionalItems(context) {
    // Only applies next to a list of schemas; a single schema covers all items.
    if (!Array.isArray(context.schema['items'])) return anything
    const start = Math.max(lengthOf(context, 'items'), lengthOf(context, 'prefixItems'))
    return restRule(context.compile('additionalItems'), start)
  },
  contains: containsRule,
  minItems: (context) => sizeRule(context, 'minItems', (size, limit) => size >= limit),
  maxItems: (context) => sizeRule(context, 'maxItems', (size, limit) => size <= limit),
  uniqueItems: (context) =>
    context.schema['uniqueItems'] === true
      ? leafRule(context, 'uniqueItems', (value) => !Array.isArray(value) || hasUniqueItems(value))
      : anything,
}

function lengthOf({ schema }: SchemaContext, keyword: string): number {
  const list = schema[keyword]
  return Array.isArray(list) ? list.length : 0
}

/** Applies a separate rule to each item from an index on; the numbers of items and rules can differ. */
function tupleRule(context: SchemaContext, keyword: string, start: number): Rule {
  const rules = Array.from({ length: lengthOf(context, keyword) }, (_, index) => context.compile(keyword, index))
  return itemRule({ start, end: rules.length, ruleAt: (index) => rules[index] ?? anything })
}

/** Applies one rule to all items from an index on. */
function restRule(rule: Rule, start: number): Rule {
  const { accepts } = rule
  return {
    ...itemRule({ start, end: Number.POSITIVE_INFINITY, ruleAt: () => rule }),
    // The most common rule for lists, so its loop does not look up the rule of each item.
    accepts(value) {
      if (!Array.isArray(value)) return true
      for (let index = start; index < value.length; index++) if (!accepts(value[index])) return false
      return true
    },
  }
}

interface ItemRules {
  readonly start: number
  /** The index after the last item that has a rule. */
  readonly end: number
  readonly ruleAt: (index: number) => Rule
}

function itemRule({ start, end, ruleAt }: ItemRules): Rule {
  return {
    accepts(value) {
      if (!Array.isArray(value)) return true
      const stop = Math.min(end, value.length)
      for (let index = start; index < stop; index++) if (!ruleAt(index).accepts(value[index])) return false
      return true
    },
    explain(value, path, issues) {
      if (!Array.isArray(value)) return
      const stop = Math.min(end, value.length)
      for (let index = start; index < stop; index++) ruleAt(index).explain(value[index], joinPath(path, index), issues)
    },
    evaluate(value, evaluated) {
      if (!Array.isArray(value)) return true
      let isValid = true
      const stop = Math.min(end, value.length)
      for (let index = start; index < stop; index++) {
        evaluated.add(index)
        isValid = ruleAt(index).accepts(value[index]) && isValid
      }
      return isValid
    },
  }
}

/** Counts the items of a form. Without `minContains`, at least one is required. */
function containsRule({ schema, at, draft, compile }: SchemaContext): Rule {
  const rule = compile('contains')
  const { minContains, maxContains } = schema
  const [least, most] = [Number(minContains ?? 1), Number(maxContains ?? Number.POSITIVE_INFINITY)]
  const matching = (list: readonly unknown[]): readonly number[] =>
    list.flatMap((item, index) => (rule.accepts(item) ? [index] : []))
  const wrongKeyword = (count: number): string | undefined => {
    if (count < least) return minContains === undefined ? 'contains' : 'minContains'
    return count > most ? 'maxContains' : undefined
  }
  return {
    accepts: (value) => !Array.isArray(value) || wrongKeyword(matching(value).length) === undefined,
    explain(value, path, issues) {
      const keyword = Array.isArray(value) ? wrongKeyword(matching(value).length) : undefined
      if (keyword === undefined) return
      addIssue(issues, { path, message: keywordMessage(keyword, schema), schemaPath: `${at}/${keyword}` })
    },
    evaluate(value, evaluated) {
      if (!Array.isArray(value)) return true
      const indexes = matching(value)
      // Before 2020-12, such items still counted as unevaluated.
      if (draft === '2020-12') for (const index of indexes) evaluated.add(index)
      return wrongKeyword(indexes.length) === undefined
    },
  }
}

function sizeRule(context: SchemaContext, keyword: string, test: (size: number, limit: number) => boolean): Rule {
  const limit = Number(context.schema[keyword])
  return leafRule(context, keyword, (value) => !Array.isArray(value) || test(value.length, limit))
}
