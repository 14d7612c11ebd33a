import { decodePercent, findReference, isObject, type JsonObject, joinPath } from '@trestle/protocol'
import { draftOf } from '../document/draft.ts'
import { arrayRules } from './array-rules.ts'
import { conditionalRules } from './conditional-rules.ts'
import { keywordMessage } from './keyword-message.ts'
import { createLinks } from './links.ts'
import { compileObjectFastPath } from './object-fast-path.ts'
import { objectRules } from './object-rules.ts'
import {
  addIssue,
  anything,
  evaluateAll,
  type Rule,
  type RuleCompiler,
  type RuleIssue,
  type SchemaContext,
} from './rule.ts'
import { withUnevaluatedRules } from './unevaluated-rules.ts'
import { unionRules } from './union-rules.ts'
import { valueRules } from './value-rules.ts'

const compilers: Readonly<Record<string, RuleCompiler>> = {
  ...valueRules,
  ...objectRules,
  ...arrayRules,
  ...unionRules,
  ...conditionalRules,
}

/**
 * Compiles a JSON Schema to closures, without code generation and without interpretation at check time.
 *
 * @param schema - A schema from `readSchema`, or a part of one.
 * @param root - The document in which references are resolved. @default the schema
 * @example
 * compileRules({ type: 'string' }).accepts(7) // false
 */
export function compileRules(schema: unknown, root: unknown = schema): Rule {
  const draft = draftOf(isObject(root) ? root : {})
  /** The rules of subschemas; `undefined` for those that are being compiled. */
  const rules = new Map<JsonObject, Rule | undefined>()
  const links = createLinks()
  const compile = (sub: unknown, at: string): Rule => {
    if (!isObject(sub)) return sub === false ? nothing(at) : anything
    // Some rules are compiled twice; without this cache, nesting would double them at each level.
    const cachedRule = rules.get(sub)
    if (cachedRule) return cachedRule
    if (rules.has(sub)) return links.to(sub, () => rules.get(sub))
    rules.set(sub, undefined)
    const rule = compileSchema({
      schema: sub,
      at,
      draft,
      compile: (keyword, key) => {
        const inner = sub[keyword]
        const place = `${at}/${keyword}`
        return key === undefined ? compile(inner, place) : compile((inner as JsonObject)[key], joinPath(place, key))
      },
      follow,
      resolve,
    })
    rules.set(sub, rule)
    return rule
  }
  const follow = (reference: string): Rule => {
    const target = findReference(root, reference)
    if (target === undefined) throw new Error(`the reference ${reference} has no target`)
    return compile(target, decodePercent(reference.slice(1)))
  }
  const resolve = (sub: unknown): unknown =>
    isObject(sub) && typeof sub['$ref'] === 'string' ? findReference(root, sub['$ref']) : sub
  return links.withMemory(compile(schema, ''))
}

function compileSchema(context: SchemaContext): Rule {
  const { schema, draft } = context
  const rules: Rule[] = []
  let typeRule: Rule | undefined
  // Draft 7 and older drafts ignore keywords next to a reference.
  const isLonely = draft === '7' && Object.hasOwn(schema, '$ref')
  for (const keyword of isLonely ? ['$ref'] : Object.keys(schema)) {
    const compile = Object.hasOwn(compilers, keyword) ? compilers[keyword] : undefined
    if (!compile || schema[keyword] === undefined) continue
    const rule = compile(context)
    if (keyword === 'type') typeRule = rule
    else if (rule !== anything) rules.push(rule)
  }
  const joined = joinRules(typeRule, rules)
  if (isLonely) return joined
  const accepts = compileObjectFastPath(context)
  return withUnevaluatedRules(accepts ? { ...joined, accepts } : joined, context)
}

function nothing(at: string): Rule {
  return {
    accepts: () => false,
    explain: (_value, path, issues) => addIssue(issues, { path, message: keywordMessage('false', {}), schemaPath: at }),
  }
}

/** Requires all rules to pass; after a type error, no other issue is reported. */
function joinRules(typeRule: Rule | undefined, others: readonly Rule[]): Rule {
  const rules = typeRule ? [typeRule, ...others] : others
  const [first, second] = rules
  if (!first) return anything
  if (!second) return first
  return {
    accepts(value) {
      for (const rule of rules) if (!rule.accepts(value)) return false
      return true
    },
    explain(value: unknown, path: string, issues: RuleIssue[]) {
      const reportedRules = typeRule && !typeRule.accepts(value) ? [typeRule] : others
      for (const rule of reportedRules) rule.explain(value, path, issues)
    },
    evaluate: (value, evaluated) => evaluateAll(rules, value, evaluated),
  }
}
