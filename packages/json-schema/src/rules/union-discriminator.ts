import { isObject } from '@trestle/protocol'

/** The discriminator of a union, a constant such as `type: 'button'`. */
export interface UnionDiscriminator {
  /** The key of the constant. */
  readonly key: string
  /** The constants of all branches. */
  readonly values: readonly unknown[]
  /** The indexes of the matching branches; can be empty. */
  readonly named: readonly number[]
}

/** Finds the key whose constants distinguish the branches of a union, if the value has it. */
export function findUnionDiscriminator(branches: unknown, value: unknown): UnionDiscriminator | undefined {
  if (!Array.isArray(branches) || !isObject(value)) return undefined
  const [first] = branches.map(propertiesOf)
  for (const key of Object.keys(first ?? {})) {
    const constants = branches.map((branch) => constantOf(propertiesOf(branch)[key]))
    if (!Object.hasOwn(value, key) || constants.some((constant) => constant === undefined)) continue
    const named = constants.flatMap((constant, index) => (constant === value[key] ? [index] : []))
    return { key, values: [...new Set(constants)], named }
  }
  return undefined
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
}

function constantOf(schema: unknown): unknown {
  return isObject(schema) && Object.hasOwn(schema, 'const') ? schema['const'] : undefined
}
