import { type Issue, maxIssues } from '@trestle/protocol'
import { joinPath } from '../../base/json-pointer.ts'
import { alternatives, keywordMessage } from './keyword-message.ts'
import { addIssue, leafRule, type Rule, type RuleCompiler } from './rule.ts'
import { findUnionDiscriminator } from './union-discriminator.ts'

/** The keywords that combine schemas. */
export const unionRules: Readonly<Record<string, RuleCompiler>> = {
  $ref: (schema, context) => context.follow(String(schema['$ref'])),
  allOf(schema, context) {
    const rules = (schema['allOf'] as readonly unknown[]).map(context.compile)
    return {
      accepts: (value) => rules.every((rule) => rule.accepts(value)),
      explain(value, path, issues) {
        for (const rule of rules) rule.explain(value, path, issues)
      },
    }
  },
  anyOf(schema, context) {
    const rules = (schema['anyOf'] as readonly unknown[]).map(context.compile)
    return {
      accepts: (value) => rules.some((rule) => rule.accepts(value)),
      explain(value, path, issues) {
        if (rules.some((rule) => rule.accepts(value))) return
        explainNearest(rules, { value, path, branches: schema['anyOf'], own: schema['errorMessage'] }, issues)
      },
    }
  },
  oneOf(schema, context) {
    const rules = (schema['oneOf'] as readonly unknown[]).map(context.compile)
    const count = (value: unknown): number => {
      let matches = 0
      for (const rule of rules) if (rule.accepts(value)) matches++
      return matches
    }
    return {
      accepts: (value) => count(value) === 1,
      explain(value, path, issues) {
        const matches = count(value)
        if (matches === 0)
          explainNearest(rules, { value, path, branches: schema['oneOf'], own: schema['errorMessage'] }, issues)
        if (matches > 1) addIssue(issues, path, `matches ${matches} forms, but only one is allowed`)
      },
    }
  },
  not(schema, context) {
    const rule = context.compile(schema['not'])
    return leafRule(schema, 'not', (value) => !rule.accepts(value))
  },
}

interface Refused {
  readonly value: unknown
  readonly path: string
  /** The schemas of the branches. */
  readonly branches: unknown
  /** The schema's custom message, if it has one. */
  readonly own: unknown
}

/**
 * Lists the issues of the branch that the value's discriminator selects, otherwise of the branch with the fewest
 * issues.
 */
function explainNearest(all: readonly Rule[], refused: Refused, issues: Issue[]): void {
  const { value, path, branches, own } = refused
  if (typeof own === 'string') {
    addIssue(issues, path, own)
    return
  }
  const tag = findUnionDiscriminator(branches, value)
  if (tag?.named.length === 0) {
    addIssue(issues, joinPath(path, tag.key), keywordMessage('enum', { enum: tag.values }))
    return
  }
  const rules = tag ? all.filter((_rule, index) => tag.named.includes(index)) : all
  const lists = rules.map((rule) => {
    const ruleIssues: Issue[] = []
    rule.explain(value, path, ruleIssues)
    return ruleIssues
  })
  const fewest = Math.min(...lists.map((list) => list.length), maxIssues)
  const nearest = lists.filter((list) => list.length === fewest)
  const [only, another] = nearest
  if (only && !another) {
    for (const issue of only) addIssue(issues, issue.path, issue.message)
    return
  }
  const phrases = nearest.map((list) => list.map((issue) => phrase(issue, path)).join(' and '))
  addIssue(issues, path, alternatives([...new Set(phrases)]) || 'is not allowed')
}

function phrase(issue: Issue, path: string): string {
  const rest = issue.path.slice(path.length + 1)
  return rest === '' ? issue.message : `"${rest}" ${issue.message}`
}
