import { z } from 'zod'

/**
 * Returns a schema with a name, for the API description and the types generated from it.
 *
 * @param id - The name, such as `Topic`.
 * @param description - The description, a sentence.
 * @param schema - The schema, or the fields of an object.
 */
export function named<TSchema extends z.ZodType>(id: string, description: string, schema: TSchema): TSchema
/** @see {@link named} */
export function named(id: string, description: string, fields: Readonly<Record<string, z.ZodType>>): z.ZodType
/** @see {@link named} */
export function named(id: string, description: string, schema: z.ZodType | z.ZodRawShape): z.ZodType {
  return (schema instanceof z.ZodType ? schema : z.object(schema)).meta({ id, description })
}
