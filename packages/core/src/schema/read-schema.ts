import { failureText } from './failure-text.ts'
import { localizeReferences } from './local-references.ts'
import { toPlainSchema } from './plain-schema.ts'
import { findSchemaFault } from './schema-fault.ts'

/**
 * Takes a JSON Schema in: as plain data of our own, all references within the document and from its root.
 *
 * @param given - The schema; it is not changed.
 * @returns The schema, or a sentence about what is wrong with it.
 */
export function readSchema(
  given: unknown,
): { readonly schema: unknown; readonly fault?: undefined } | { readonly fault: string } {
  const fault = findSchemaFault(given)
  if (fault !== undefined) return { fault }
  const schema = toPlainSchema(given)
  const odd = findUnprintable(schema)
  if (odd !== undefined) return { fault: odd }
  const wrong = localizeReferences(schema)
  return wrong === undefined ? { schema } : { fault: wrong }
}

/** What is published must be JSON, in places no keyword is known for too. */
function findUnprintable(schema: unknown): string | undefined {
  try {
    JSON.stringify(schema)
    return undefined
  } catch (error) {
    return `it cannot be printed as JSON: ${failureText(error)}`
  }
}
