/** A JSON document, stored as its text. Read it with `JSON.parse`, write it with `JSON.stringify`. */
export type JsonText = string

/** A time in milliseconds since 1970. */
export type Millis = number

/** A boolean: 1 or 0. */
export type Flag = 0 | 1

/** An identifier of 24 hexadecimal digits, from `createId`. */
export type Id = string
