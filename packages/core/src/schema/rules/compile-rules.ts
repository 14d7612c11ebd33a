import { findReference, type Issue, isObject, type JsonObject } from '@trestle/protocol'
import { draftOf } from '../document/draft.ts'
import { isCron } from '../formats/cron.ts'
import { isDateTime } from '../formats/date-time.ts'
import { urlPattern } from '../formats/url.ts'
import { arrayRules } from './array-rules.ts'
import { keywordMessage } from './keyword-message.ts'
import { compileObjectFastPath } from './object-fast-path.ts'
import { objectRules } from './object-rules.ts'
import { addIssue, anything, type Rule, type RuleCompiler, type RuleContext } from './rule.ts'
import { unionRules } from './union-rules.ts'
import { valueRules } from './value-rules.ts'

/** Format checks, by name. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>

const compilers: Readonly<Record<string, RuleCompiler>> = {
  ...valueRules,
  ...objectRules,
  ...arrayRules,
  ...unionRules,
}

// Keywords that describe a value without restricting it.
const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples', 'example'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'errorMessage'],
])

// Formats of the framework's own schemas, which do not need the library, and one format for which the library takes
// exponential time.
const ownFormats: Formats = { 'date-time': isDateTime, cron: isCron, url: (text) => urlPattern.test(text) }

/**
 * Compiles a JSON Schema to closures, without code generation and without interpretation at check time. The result is
 * the same as the library's.
 *
 * @param schema - A JSON Schema for which `findSchemaFault` finds no fault.
 * @param formats - Format checks, once loaded; without them, only the framework's own are available.
 * @returns The rule; `undefined` if the schema has an unsupported keyword, so that the library must validate.
 */
export function compileRules(schema: unknown, formats?: Formats): Rule | undefined {
  let refused = false
  const root = isObject(schema) ? withoutId(schema) : schema
  const rules = new Map<JsonObject, Rule>()
  const references = new Map<string, Rule>()
  const context: RuleContext = {
    compile(sub) {
      // Some rules are compiled twice; without this cache, nesting would double them at each level.
      if (!isObject(sub)) return compileRule(sub, context)
      const cachedRule = rules.get(sub)
      if (cachedRule) return cachedRule
      const compiledRule = compileRule(sub, context)
      rules.set(sub, compiledRule)
      return compiledRule
    },
    follow(reference) {
      const cachedRule = references.get(reference)
      if (cachedRule) return cachedRule
      const target = findReference(root, reference)
      if (target === undefined) return context.refuse()
      // A schema may refer to itself, so the rule is registered before it is created.
      let rule = anything
      const link: Rule = {
        accepts: (value) => rule.accepts(value),
        explain: (value, path, issues) => rule.explain(value, path, issues),
      }
      references.set(reference, link)
      rule = compileRule(target, context)
      return link
    },
    // Draft 7 and older drafts ignore keywords next to a reference.
    lonelyReferences: isObject(schema) && draftOf(schema) === '7',
    format(name) {
      if (Object.hasOwn(ownFormats, name)) return ownFormats[name]
      if (formats) return Object.hasOwn(formats, name) ? formats[name] : undefined
      refused = true
      return undefined
    },
    refuse() {
      refused = true
      return anything
    },
  }
  const rule = compileRule(root, context)
  return refused ? undefined : rule
}

function compileRule(schema: unknown, context: RuleContext): Rule {
  if (schema === true) return anything
  if (schema === false) return nothing
  if (!isObject(schema)) return context.refuse()
  const rules: Rule[] = []
  let typeRule: Rule | undefined
  const lonely = context.lonelyReferences && Object.hasOwn(schema, '$ref')
  for (const keyword of lonely ? ['$ref'] : Object.keys(schema)) {
    if (schema[keyword] === undefined || annotations.has(keyword) || keyword.startsWith('x-')) continue
    const compile = Object.hasOwn(compilers, keyword) ? compilers[keyword] : undefined
    const rule = compile ? compile(schema, context) : context.refuse()
    if (keyword === 'type') typeRule = rule
    else if (rule !== anything) rules.push(rule)
  }
  const joined = joinRules(typeRule, rules)
  const accepts = lonely ? undefined : compileObjectFastPath(schema, context.compile)
  return accepts ? { ...joined, accepts } : joined
}

/** Removes the document's own `$id`, which only matters for references into other documents. */
function withoutId(schema: JsonObject): JsonObject {
  const { $id: _, ...rest } = schema
  return rest
}

const nothing: Rule = {
  accepts: () => false,
  explain: (_value, path, issues) => addIssue(issues, path, keywordMessage('false', {})),
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
    explain(value: unknown, path: string, issues: Issue[]) {
      const reportedRules = typeRule && !typeRule.accepts(value) ? [typeRule] : others
      for (const rule of reportedRules) rule.explain(value, path, issues)
    },
  }
}
