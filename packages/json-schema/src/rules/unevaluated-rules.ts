import { isObject, joinPath } from '@trestle/protocol'
import { unknownKeyMessage } from './keyword-message.ts'
import { addIssue, type Evaluated, evaluate, type Rule, type SchemaContext } from './rule.ts'

/** The keywords for what no other keyword of the schema evaluates, with the parts of a value that they are for. */
const partsByKeyword: Readonly<Record<string, (value: unknown) => Iterable<readonly [string | number, unknown]>>> = {
  unevaluatedProperties: (value) => (isObject(value) ? Object.entries(value) : []),
  unevaluatedItems: (value) => (Array.isArray(value) ? value.entries() : []),
}
const keywords = Object.keys(partsByKeyword)

/**
 * Adds `unevaluatedProperties` and `unevaluatedItems` to a rule. They depend on the results of all other keywords, so
 * that each value is checked in one pass: a second pass per nested schema would double the time at each level.
 *
 * @param others - The rule of the other keywords.
 */
export function withUnevaluatedRules(others: Rule, context: SchemaContext): Rule {
  let rule = others
  for (const keyword of keywords)
    if (context.schema[keyword] !== undefined) rule = withUnevaluatedRule(rule, context, keyword)
  return rule
}

function withUnevaluatedRule(others: Rule, context: SchemaContext, keyword: string): Rule {
  const rule = context.compile(keyword)
  const isClosed = context.schema[keyword] === false && keyword === 'unevaluatedProperties'
  const schemaPath = `${context.at}/${keyword}`
  const partsOf = (value: unknown): readonly (readonly [string | number, unknown])[] => [
    ...(partsByKeyword[keyword]?.(value) ?? []),
  ]
  const check: NonNullable<Rule['evaluate']> = (value, evaluated) => {
    // What the parent schema has evaluated still counts as unevaluated here.
    const own: Evaluated = new Set()
    let isValid = evaluate(others, value, own)
    for (const [key, part] of partsOf(value)) {
      if (own.has(key)) continue
      own.add(key)
      isValid = isValid && rule.accepts(part)
    }
    for (const key of own) evaluated.add(key)
    return isValid
  }
  return {
    accepts: (value) => check(value, new Set()),
    explain(value, path, issues) {
      others.explain(value, path, issues)
      const evaluated: Evaluated = new Set()
      evaluate(others, value, evaluated)
      for (const [key, part] of partsOf(value)) {
        if (evaluated.has(key)) continue
        const place = joinPath(path, key)
        if (isClosed) addIssue(issues, { path: place, message: unknownKeyMessage(String(key)), schemaPath })
        else rule.explain(part, place, issues)
      }
    },
    evaluate: check,
  }
}
