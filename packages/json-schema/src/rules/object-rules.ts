import { isObject, type JsonObject, joinPath } from '@trestle/protocol'
import { keywordMessage, unknownKeyMessage } from './keyword-message.ts'
import { requireKeys } from './required-rule.ts'
import { addIssue, leafRule, type Rule, type RuleCompiler, type RuleIssue, type SchemaContext } from './rule.ts'

/** The keywords for objects. Only own properties are considered. */
export const objectRules: Readonly<Record<string, RuleCompiler>> = {
  required: ({ schema, at }) =>
    requireKeys({
      keys: schema['required'] as readonly string[],
      message: keywordMessage('required', schema),
      schemaPath: `${at}/required`,
    }),
  properties({ schema, compile }) {
    const rules = Object.keys(schema['properties'] as JsonObject).map((key): readonly [string, Rule] => [
      key,
      compile('properties', key),
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
      evaluate(value, evaluated) {
        if (!isObject(value)) return true
        const present = rules.filter(([key]) => Object.hasOwn(value, key))
        for (const [key] of present) evaluated.add(key)
        return present.every(([key, rule]) => rule.accepts(value[key]))
      },
    }
  },
  patternProperties({ schema, compile }) {
    const rules = Object.keys(schema['patternProperties'] as JsonObject).map((pattern): readonly [RegExp, Rule] => [
      new RegExp(pattern, 'u'),
      compile('patternProperties', pattern),
    ])
    return keyRule((key, value, visit) => {
      for (const [pattern, rule] of rules) if (pattern.test(key) && !visit(rule, value)) return false
      return true
    })
  },
  additionalProperties(context) {
    const { schema, at } = context
    const knownKeys = new Set(Object.keys((schema['properties'] as JsonObject | undefined) ?? {}))
    const patterns = Object.keys((schema['patternProperties'] as JsonObject | undefined) ?? {}).map(
      (pattern) => new RegExp(pattern, 'u'),
    )
    const isKnown = (key: string): boolean => knownKeys.has(key) || patterns.some((pattern) => pattern.test(key))
    if (schema['additionalProperties'] === false) return closedRule(isKnown, `${at}/additionalProperties`)
    const rule = context.compile('additionalProperties')
    return keyRule((key, value, visit) => isKnown(key) || visit(rule, value))
  },
  propertyNames({ compile }) {
    const rule = compile('propertyNames')
    return {
      accepts: (value) => !isObject(value) || Object.keys(value).every((key) => rule.accepts(key)),
      explain(value, path, issues) {
        if (!isObject(value)) return
        for (const key of Object.keys(value)) {
          const keyIssues: RuleIssue[] = []
          rule.explain(key, '', keyIssues)
          for (const { message, schemaPath } of keyIssues)
            addIssue(issues, { path: joinPath(path, key), message: `the key ${message}`, schemaPath })
        }
      },
    }
  },
  minProperties: (context) => sizeRule(context, 'minProperties', (size, limit) => size >= limit),
  maxProperties: (context) => sizeRule(context, 'maxProperties', (size, limit) => size <= limit),
}

/** Rejects unknown keys. */
function closedRule(isKnown: (key: string) => boolean, schemaPath: string): Rule {
  const accepts: Rule['accepts'] = (value) => {
    if (!isObject(value)) return true
    for (const key of Object.keys(value)) if (!isKnown(key)) return false
    return true
  }
  return {
    accepts,
    explain(value, path, issues) {
      if (!isObject(value)) return
      for (const key of Object.keys(value)) {
        if (isKnown(key)) continue
        addIssue(issues, { path: joinPath(path, key), message: unknownKeyMessage(key), schemaPath })
      }
    },
    evaluate(value, evaluated) {
      if (isObject(value)) for (const key of Object.keys(value)) evaluated.add(key)
      return accepts(value)
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
    evaluate(value, evaluated) {
      if (!isObject(value)) return true
      let isValid = true
      for (const key of Object.keys(value)) {
        look(key, value[key], (rule, item) => {
          evaluated.add(key)
          isValid = rule.accepts(item) && isValid
          return true
        })
      }
      return isValid
    },
  }
}

function sizeRule(context: SchemaContext, keyword: string, test: (size: number, limit: number) => boolean): Rule {
  const limit = Number(context.schema[keyword])
  return leafRule(context, keyword, (value) => !isObject(value) || test(Object.keys(value).length, limit))
}
