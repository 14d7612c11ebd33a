import { type Issue, isObject, type JsonObject } from '@trestle/protocol'
import { joinPath } from '../../base/json-pointer.ts'
import { keywordMessage, unknownKeyMessage } from './keyword-message.ts'
import { addIssue, leafRule, type Rule, type RuleCompiler } from './rule.ts'

/** The keywords for objects. Only own properties are considered. */
export const objectRules: Readonly<Record<string, RuleCompiler>> = {
  required(schema) {
    const keys = schema['required'] as readonly string[]
    return {
      accepts: (value) => !isObject(value) || keys.every((key) => Object.hasOwn(value, key)),
      explain(value, path, issues) {
        if (!isObject(value)) return
        for (const key of keys) {
          if (!Object.hasOwn(value, key)) addIssue(issues, joinPath(path, key), keywordMessage('required', schema))
        }
      },
    }
  },
  properties(schema, context) {
    const rules = Object.entries(schema['properties'] as JsonObject).map(([key, sub]): readonly [string, Rule] => [
      key,
      context.compile(sub),
    ])
    return {
      accepts(value) {
        if (!isObject(value)) return true
        for (const [key, rule] of rules) {
          if (Object.hasOwn(value, key) && !rule.accepts(value[key])) return false
        }
        return true
      },
      explain(value, path, issues) {
        if (!isObject(value)) return
        for (const [key, rule] of rules) {
          if (Object.hasOwn(value, key)) rule.explain(value[key], joinPath(path, key), issues)
        }
      },
    }
  },
  patternProperties(schema, context) {
    const rules = Object.entries(schema['patternProperties'] as JsonObject).map(
      ([pattern, sub]): readonly [RegExp, Rule] => [new RegExp(pattern, 'u'), context.compile(sub)],
    )
    return keyRule((key, value, visit) => {
      for (const [pattern, rule] of rules) if (pattern.test(key) && !visit(rule, value)) return false
      return true
    })
  },
  additionalProperties(schema, context) {
    const knownKeys = new Set(Object.keys((schema['properties'] as JsonObject | undefined) ?? {}))
    const patterns = Object.keys((schema['patternProperties'] as JsonObject | undefined) ?? {}).map(
      (pattern) => new RegExp(pattern, 'u'),
    )
    const isKnown = (key: string): boolean => knownKeys.has(key) || patterns.some((pattern) => pattern.test(key))
    if (schema['additionalProperties'] === false) return closedRule(isKnown)
    const rule = context.compile(schema['additionalProperties'])
    return keyRule((key, value, visit) => isKnown(key) || visit(rule, value))
  },
  propertyNames(schema, context) {
    const rule = context.compile(schema['propertyNames'])
    return {
      accepts: (value) => !isObject(value) || Object.keys(value).every((key) => rule.accepts(key)),
      explain(value, path, issues) {
        if (!isObject(value)) return
        for (const key of Object.keys(value)) {
          const keyIssues: Issue[] = []
          rule.explain(key, '', keyIssues)
          for (const issue of keyIssues) addIssue(issues, joinPath(path, key), `the key ${issue.message}`)
        }
      },
    }
  },
  minProperties: (schema) => sizeRule(schema, 'minProperties', (size, limit) => size >= limit),
  maxProperties: (schema) => sizeRule(schema, 'maxProperties', (size, limit) => size <= limit),
}

/** Rejects unknown keys. */
function closedRule(isKnown: (key: string) => boolean): Rule {
  return {
    accepts(value) {
      if (!isObject(value)) return true
      for (const key of Object.keys(value)) if (!isKnown(key)) return false
      return true
    },
    explain(value, path, issues) {
      if (!isObject(value)) return
      for (const key of Object.keys(value)) {
        if (!isKnown(key)) addIssue(issues, joinPath(path, key), unknownKeyMessage(key))
      }
    },
  }
}

type Visit = (rule: Rule, value: unknown) => boolean

/** Checks every key with its value. */
function keyRule(look: (key: string, value: unknown, visit: Visit) => boolean): Rule {
  const test: Visit = (rule, value) => rule.accepts(value)
  return {
    accepts(value) {
      if (!isObject(value)) return true
      for (const key of Object.keys(value)) if (!look(key, value[key], test)) return false
      return true
    },
    explain(value, path, issues) {
      if (!isObject(value)) return
      for (const key of Object.keys(value)) {
        look(key, value[key], (rule, item) => {
          rule.explain(item, joinPath(path, key), issues)
          return true
        })
      }
    },
  }
}

function sizeRule(schema: JsonObject, keyword: string, test: (size: number, limit: number) => boolean): Rule {
  const limit = Number(schema[keyword])
  return leafRule(schema, keyword, (value) => !isObject(value) || test(Object.keys(value).length, limit))
}
