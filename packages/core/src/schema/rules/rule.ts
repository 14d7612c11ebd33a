import { type Issue, type JsonObject, maxIssues } from '@trestle/protocol'
import { keywordMessage } from './keyword-message.ts'

/** A schema, or one keyword of it, compiled to closures. */
export interface Rule {
  /** Returns whether a value is valid. */
  readonly accepts: (value: unknown) => boolean
  /**
   * Lists the issues of a value; adds none if it is valid.
   *
   * @param issues - Receives the issues, up to the limit.
   */
  readonly explain: (value: unknown, path: string, issues: Issue[]) => void
}

/** The context in which a keyword is compiled. */
export interface RuleContext {
  /** Compiles a subschema. */
  readonly compile: (schema: unknown) => Rule
  /** Returns the rule that a reference within the document points to. */
  readonly follow: (reference: string) => Rule
  /** Returns the check for a format; `undefined` if the format is not checked. */
  readonly format: (name: string) => ((text: string) => boolean) | undefined
  /** Whether siblings of a reference are ignored. */
  readonly lonelyReferences: boolean
  /** Records that the schema has a keyword that the closures do not support. */
  readonly refuse: () => Rule
}

/** Compiles one keyword of a schema. */
export type RuleCompiler = (schema: JsonObject, context: RuleContext) => Rule

/** A rule that accepts every value. */
export const anything: Rule = { accepts: () => true, explain: () => {} }

/**
 * Returns a rule whose issue is reported for the value itself.
 *
 * @param schema - The schema with the keyword.
 */
export function leafRule(schema: JsonObject, keyword: string, accepts: (value: unknown) => boolean): Rule {
  return {
    accepts,
    explain(value, path, issues) {
      if (!accepts(value)) addIssue(issues, path, keywordMessage(keyword, schema))
    },
  }
}

/** Adds an issue unless the list is full or already contains it. */
export function addIssue(issues: Issue[], path: string, message: string): void {
  if (issues.length >= maxIssues) return
  if (!issues.some((issue) => issue.path === path && issue.message === message)) issues.push({ path, message })
}
