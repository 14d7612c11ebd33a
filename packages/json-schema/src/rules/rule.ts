import { type Issue, type JsonObject, maxIssues } from '@trestle/protocol'
import type { Draft } from '../document/draft.ts'
import { keywordMessage } from './keyword-message.ts'

/** An issue, and the keyword that reports it. */
export interface RuleIssue extends Issue {
  /** JSON pointer to the keyword, from the root of the schema. */
  readonly schemaPath: string
}

/** The keys of an object, or the indexes of a list, that a schema has evaluated. */
export type Evaluated = Set<string | number>

/** A schema, or one keyword of it, compiled to closures. */
export interface Rule {
  /** Returns whether a value is valid. */
  readonly accepts: (value: unknown) => boolean
  /**
   * Lists the issues of a value; adds none if it is valid.
   *
   * @param issues - Receives the issues, up to the limit.
   */
  readonly explain: (value: unknown, path: string, issues: RuleIssue[]) => void
  /**
   * Returns whether a value is valid, and adds the keys or items that the rule evaluates, even if they are invalid. Only
   * called for `unevaluatedProperties` and `unevaluatedItems`; absent if the rule evaluates none.
   *
   * @source JSON Schema 2020-12, core, section 11.
   */
  readonly evaluate?: (value: unknown, evaluated: Evaluated) => boolean
}

/** A schema that is being compiled. */
export interface SchemaContext {
  readonly schema: JsonObject
  /** JSON pointer to the schema, from the root. */
  readonly at: string
  readonly draft: Draft
  /** Compiles the subschema of a keyword, or the one at a key of the keyword. */
  readonly compile: (keyword: string, key?: string | number) => Rule
  /**
   * Compiles the subschema that a reference within the document points to.
   *
   * @throws Error - There is none.
   */
  readonly follow: (reference: string) => Rule
  /** Returns the target of a schema that is a reference; other schemas are returned unchanged. */
  readonly resolve: (schema: unknown) => unknown
}

/** Compiles one keyword of a schema. */
export type RuleCompiler = (context: SchemaContext) => Rule

/** A rule that accepts every value. */
export const anything: Rule = { accepts: () => true, explain: () => {} }

/** Returns a rule whose issue is reported for the value itself. */
export function leafRule({ schema, at }: SchemaContext, keyword: string, accepts: Rule['accepts']): Rule {
  return {
    accepts,
    explain(value, path, issues) {
      if (accepts(value)) return
      addIssue(issues, { path, message: keywordMessage(keyword, schema), schemaPath: `${at}/${keyword}` })
    },
  }
}

/** Checks a value by a rule, and adds what the rule evaluates. */
export function evaluate(rule: Rule, value: unknown, evaluated: Evaluated): boolean {
  return rule.evaluate ? rule.evaluate(value, evaluated) : rule.accepts(value)
}

/** Checks a value by all rules, even after one has rejected it, and adds what they evaluate. */
export function evaluateAll(rules: readonly Rule[], value: unknown, evaluated: Evaluated): boolean {
  let isValid = true
  for (const rule of rules) isValid = evaluate(rule, value, evaluated) && isValid
  return isValid
}

/** Adds an issue unless the list is full or already contains it. */
export function addIssue(issues: RuleIssue[], added: RuleIssue): void {
  if (issues.length >= maxIssues) return
  if (!issues.some(({ path, message }) => path === added.path && message === added.message)) issues.push(added)
}
