import { type Issue, type JsonObject, maxIssues } from '@trestle/protocol'
import { keywordMessage } from './keyword-message.ts'

/** A schema, or one keyword of it, compiled to closures. */
export interface Rule {
  /** Returns whether a value passes. */
  readonly accepts: (value: unknown) => boolean
  /**
   * Lists what is wrong with a value; nothing when it passes.
   *
   * @param issues - Where issues are added, up to the limit.
   */
  readonly explain: (value: unknown, path: string, issues: Issue[]) => void
}

/** The context a keyword is compiled in. */
export interface RuleContext {
  /** Compiles a schema inside the one at hand. */
  readonly compile: (schema: unknown) => Rule
  /** Finds the rule a reference within the document leads to. */
  readonly follow: (reference: string) => Rule
  /** Returns the check of a format; `undefined` when the format is not checked. */
  readonly format: (name: string) => ((text: string) => boolean) | undefined
  /** Whether keywords beside a reference count for nothing. */
  readonly lonelyReferences: boolean
  /** Notes that the schema holds something the closures do not know. */
  readonly refuse: () => Rule
}

/** Turns one keyword of a schema into a rule. */
export type RuleCompiler = (schema: JsonObject, context: RuleContext) => Rule

/** The rule everything passes. */
export const anything: Rule = { accepts: () => true, explain: () => {} }

/**
 * A rule whose fault lies at the value itself.
 *
 * @param schema - The schema that holds the keyword.
 */
export function leafRule(schema: JsonObject, keyword: string, accepts: (value: unknown) => boolean): Rule {
  return {
    accepts,
    explain(value, path, issues) {
      if (!accepts(value)) addIssue(issues, path, keywordMessage(keyword, schema))
    },
  }
}

/** Adds an issue unless the list is full or has it already. */
export function addIssue(issues: Issue[], path: string, message: string): void {
  if (issues.length >= maxIssues) return
  if (!issues.some((issue) => issue.path === path && issue.message === message)) issues.push({ path, message })
}
