/** A JSON Schema, as discovery found it. */
export type JsonSchema = Readonly<Record<string, unknown>>
