import type { JsonObject } from '@trestle/protocol'
import { addIssue, anything, evaluate, type Rule, type RuleIssue } from './rule.ts'

/** The rules of schemas that contain themselves. */
export interface Links {
  /** Returns the rule of a schema that is still being compiled. */
  to(schema: JsonObject, find: () => Rule | undefined): Rule
  /** Returns a rule whose checks use each link at most once per object of the value. */
  withMemory(rule: Rule): Rule
}

interface Link {
  readonly rule: Rule
  /** Forgets the results, because values may change between checks. */
  readonly forget: () => void
}

/**
 * Creates the links of one document. The branches of a union check the same objects, so without a memory, the time of a
 * check would be exponential in the depth of the value.
 */
export function createLinks(): Links {
  const links = new Map<JsonObject, Link>()
  let depth = 0
  function during<T>(check: () => T): T {
    depth++
    try {
      return check()
    } finally {
      depth--
      if (depth === 0) for (const { forget } of links.values()) forget()
    }
  }
  return {
    to(schema, find) {
      const link = links.get(schema) ?? createLink(find)
      links.set(schema, link)
      return link.rule
    },
    withMemory(rule) {
      if (links.size === 0) return rule
      return {
        accepts: (value) => during(() => rule.accepts(value)),
        explain: (value, path, issues) => during(() => rule.explain(value, path, issues)),
        evaluate: (value, evaluated) => during(() => evaluate(rule, value, evaluated)),
      }
    },
  }
}

interface Explained {
  readonly path: string
  readonly issues: readonly RuleIssue[]
}

function createLink(find: () => Rule | undefined): Link {
  const accepted = new Map<object, boolean>()
  const explained = new Map<object, Explained>()
  let target: Rule | undefined
  const rule = (): Rule => {
    target ??= find() ?? anything
    return target
  }
  function explain(value: object, path: string): readonly RuleIssue[] {
    const known = explained.get(value)
    if (known?.path === path) return known.issues
    const issues: RuleIssue[] = []
    rule().explain(value, path, issues)
    explained.set(value, { path, issues })
    return issues
  }
  return {
    rule: {
      accepts(value) {
        if (!isKey(value)) return rule().accepts(value)
        const known = accepted.get(value)
        if (known !== undefined) return known
        const isAccepted = rule().accepts(value)
        accepted.set(value, isAccepted)
        return isAccepted
      },
      explain(value, path, issues) {
        if (isKey(value)) for (const issue of explain(value, path)) addIssue(issues, issue)
        else rule().explain(value, path, issues)
      },
      evaluate: (value, evaluated) => evaluate(rule(), value, evaluated),
    },
    forget() {
      accepted.clear()
      explained.clear()
    },
  }
}

const isKey = (value: unknown): value is object => typeof value === 'object' && value !== null
