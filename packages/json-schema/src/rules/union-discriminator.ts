import { isObject } from '@trestle/protocol'

/** The discriminator of a union: a key with different constants in each branch, such as `type: 'button'`. */
export interface UnionDiscriminator {
  /** The key of the constant. */
  readonly key: string
  /** The constants of all branches. */
  readonly values: readonly unknown[]
  /** The indexes of the matching branches; can be empty. */
  readonly named: readonly number[]
}

/** Finds the key whose constants distinguish the branches of a union, if the value has it. */
export function findUnionDiscriminator(branches: readonly unknown[], value: unknown): UnionDiscriminator | undefined {
  if (!isObject(value)) return undefined
  const [first] = branches.map(propertiesOf)
  for (const key of Object.keys(first ?? {})) {
    if (!Object.hasOwn(value, key)) continue
    const constants = branches.map((branch) => constantsOf(propertiesOf(branch)[key]))
    if (constants.some((list) => list.length === 0)) continue
    const named = constants.flatMap((list, index) => (list.includes(value[key]) ? [index] : []))
    return { key, values: [...new Set(constants.flat())], named }
  }
  return undefined
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
}

function constantsOf(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return []
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : []
}
