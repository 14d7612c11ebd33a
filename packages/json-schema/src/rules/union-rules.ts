import { isObject, joinPath, maxIssues } from '@trestle/protocol'
import { alternatives, keywordMessage } from './keyword-message.ts'
import {
  addIssue,
  type Evaluated,
  evaluate,
  evaluateAll,
  leafRule,
  type Rule,
  type RuleCompiler,
  type RuleIssue,
  type SchemaContext,
} from './rule.ts'
import { findUnionDiscriminator } from './union-discriminator.ts'
import { hasType } from './value-rules.ts'

const maxChoiceLength = 2000

/** The keywords that combine schemas. */
export const unionRules: Readonly<Record<string, RuleCompiler>> = {
  $ref: ({ schema, follow }) => follow(String(schema['$ref'])),
  allOf(context) {
    const rules = compileBranches(context, 'allOf')
    return {
      accepts: (value) => rules.every((rule) => rule.accepts(value)),
      explain(value, path, issues) {
        for (const rule of rules) rule.explain(value, path, issues)
      },
      evaluate: (value, evaluated) => evaluateAll(rules, value, evaluated),
    }
  },
  anyOf(context) {
    const rules = compileBranches(context, 'anyOf')
    const accepts: Rule['accepts'] = (value) => rules.some((rule) => rule.accepts(value))
    return {
      accepts,
      explain(value, path, issues) {
        if (!accepts(value)) explainNearest(rules, toRefused(context, 'anyOf', { value, path }), issues)
      },
      evaluate: (value, evaluated) => evaluateBranches(rules, value, evaluated) > 0,
    }
  },
  oneOf(context) {
    const rules = compileBranches(context, 'oneOf')
    const count = (value: unknown): number => {
      let matches = 0
      for (const rule of rules) if (rule.accepts(value)) matches++
      return matches
    }
    return {
      accepts: (value) => count(value) === 1,
      explain(value, path, issues) {
        const matches = count(value)
        const refused = toRefused(context, 'oneOf', { value, path })
        if (matches === 0) explainNearest(rules, refused, issues)
        if (matches > 1)
          addIssue(issues, {
            path,
            message: `matches ${matches} forms, but only one is allowed`,
            schemaPath: refused.schemaPath,
          })
      },
      evaluate: (value, evaluated) => evaluateBranches(rules, value, evaluated) === 1,
    }
  },
  not(context) {
    const rule = context.compile('not')
    return leafRule(context, 'not', (value) => !rule.accepts(value))
  },
}

function compileBranches({ schema, compile }: SchemaContext, keyword: string): readonly Rule[] {
  return (schema[keyword] as readonly unknown[]).map((_, index) => compile(keyword, index))
}

/**
 * Returns how many branches accept a value, and adds what they evaluate. If none does, adds what all evaluate, so that
 * keys of the rejected value are not also reported as unknown.
 */
function evaluateBranches(rules: readonly Rule[], value: unknown, evaluated: Evaluated): number {
  const branches = rules.map((rule) => {
    const own: Evaluated = new Set()
    return { isValid: evaluate(rule, value, own), own }
  })
  const matching = branches.filter(({ isValid }) => isValid)
  for (const { own } of matching.length > 0 ? matching : branches) for (const key of own) evaluated.add(key)
  return matching.length
}

interface Refused {
  readonly value: unknown
  readonly path: string
  /** The schemas of the branches. */
  readonly branches: readonly unknown[]
  /** The schema's custom message, if it has one. */
  readonly own: unknown
  readonly schemaPath: string
}

function toRefused(
  { schema, at, resolve }: SchemaContext,
  keyword: string,
  place: Pick<Refused, 'value' | 'path'>,
): Refused {
  const branches = (schema[keyword] as readonly unknown[]).map(resolve)
  return { ...place, branches, own: schema['errorMessage'], schemaPath: `${at}/${keyword}` }
}

/**
 * Lists the issues of the branch that the value's discriminator selects, otherwise of the branch with the fewest
 * issues. Branches whose type the value does not have are only compared if the value has the type of none.
 */
function explainNearest(all: readonly Rule[], refused: Refused, issues: RuleIssue[]): void {
  const { value, path, branches, own, schemaPath } = refused
  if (typeof own === 'string') {
    addIssue(issues, { path, message: own, schemaPath })
    return
  }
  const tag = findUnionDiscriminator(branches, value)
  if (tag?.named.length === 0) {
    const message = keywordMessage('enum', { enum: tag.values })
    addIssue(issues, { path: joinPath(path, tag.key), message, schemaPath })
    return
  }
  const named = tag?.named ?? [...all.keys()]
  const typed = named.filter((index) => canHaveType(value, branches[index]))
  const lists = (typed.length > 0 ? typed : named).map((index) => {
    const ruleIssues: RuleIssue[] = []
    all[index]?.explain(value, path, ruleIssues)
    return ruleIssues
  })
  const fewest = Math.min(...lists.map((list) => list.length), maxIssues)
  const nearest = lists.filter((list) => list.length === fewest)
  const [only, another] = nearest
  if (only && !another) {
    for (const issue of only) addIssue(issues, issue)
    return
  }
  const phrases = nearest.map((list) => list.map((issue) => phrase(issue, path)).join(' and '))
  const choice = alternatives([...new Set(phrases)]) || 'is not allowed'
  // In a recursive schema, each level would repeat the text of the next one for every branch.
  const message = choice.length > maxChoiceLength ? `matches none of the ${all.length} allowed forms` : choice
  addIssue(issues, { path, message, schemaPath })
}

function canHaveType(value: unknown, schema: unknown): boolean {
  return !isObject(schema) || schema['type'] === undefined || hasType(value, schema['type'])
}

function phrase(issue: RuleIssue, path: string): string {
  const rest = issue.path.slice(path.length + 1)
  return rest === '' ? issue.message : `"${rest}" ${issue.message}`
}
