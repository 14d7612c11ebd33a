/** A JSON Schema, as discovered. */
export type JsonSchema = Readonly<Record<string, unknown>>
