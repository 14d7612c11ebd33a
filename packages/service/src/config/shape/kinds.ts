import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { createRangeSet } from '@trestle/bridge-client'
import { parseUrl } from '@trestle/protocol'
import { z } from 'zod'
import type { HttpCall, HttpReply } from '../../api/http-call.ts'
import type { BridgeSettings } from '../../bridge/bridge-port.ts'
import type { Clock } from '../../clock/clock.ts'

/** Handles calls of any method to a path outside the API. Thrown errors are returned in the format of the API. */
export type Mount = (call: HttpCall) => Promise<HttpReply>

/** The values of each kind of setting. */
export interface KindValues {
  readonly whole: number
  readonly flag: boolean
  readonly text: string
  readonly choice: string
  readonly list: readonly string[]
  readonly ranges: readonly string[]
  readonly keys: Readonly<Record<string, string>>
  readonly apiAddress: string
  readonly hostName: string
  readonly nameServers: readonly string[]
  readonly authorities: string | readonly string[]
  readonly studio: boolean | URL
  readonly mounts: Readonly<Record<string, Mount>>
  readonly log: { write(line: string): void }
  readonly clock: Clock
}

/** One setting. */
export interface Row {
  readonly kind: keyof KindValues
  /** The environment variable; without one it is set by code only. */
  readonly variable?: string
  /** What it does, in Markdown. Links are relative to `packages/docs`. */
  readonly text: string
  readonly default?: unknown
  /** The default as the documentation writes it. @default the default itself */
  readonly defaultText?: string
  /** The minimum number, or the minimum length of a text or list. @default 0 */
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
  /** Keeps the value out of messages. */
  readonly isSecret?: boolean
  /** Whether an empty variable sets it; otherwise it counts as unset. */
  readonly isSetIfEmpty?: boolean
}

/** Settings that are one option together. */
export interface Group {
  readonly text: string
  readonly rows: Readonly<Record<string, Row>>
  /** Names the type of the option if code can set more than the rows. */
  readonly code?: keyof CodeOptions
}

/** Options with more fields than their rows. */
export interface CodeOptions {
  readonly bridge: BridgeSettings
}

/** The value that an option takes. */
export type OptionOf<T> = T extends { readonly code: infer C extends keyof CodeOptions }
  ? CodeOptions[C]
  : T extends { readonly rows: infer R }
    ? { readonly [K in keyof R]?: OptionOf<R[K]> }
    : T extends { readonly choices: readonly (infer C)[] }
      ? C
      : T extends { readonly kind: infer K extends keyof KindValues }
        ? KindValues[K]
        : never

/** The value of a setting once defaults are filled in. */
export type SettingOf<T> = T extends { readonly rows: infer R }
  ? { readonly [K in keyof R]: SettingOf<R[K]> }
  : OptionOf<T> | (T extends { readonly default: unknown } ? never : undefined)

interface Kind {
  /** The schema of the option. */
  check(row: Row): z.ZodType
  /** Returns the value of a variable's text; an invalid text is returned unchanged, and fails the check. */
  read?(text: string): unknown
}

const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
const hostPattern = new RegExp(`^(?:${label}\\.)+${label}$`, 'i')

/** Keeps empty items, so that the check can reject them. */
const readList = (text: string): readonly string[] => text.split(',').map((item) => item.trim())
const readFlag = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text)

const hasMethods =
  (...names: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

/** The kinds of settings: how a value is checked, and read from a variable. */
export const kinds: Readonly<Record<keyof KindValues, Kind>> = {
  whole: {
    check({ min = 0, max = Number.MAX_SAFE_INTEGER }) {
      const upTo = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`
      const message = `must be a whole number ${upTo}`
      return z.number(message).int(message).min(min, message).max(max, message)
    },
    read: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  },
  flag: { check: () => z.boolean('must be true or false'), read: readFlag },
  text: { check: ({ min = 0 }) => z.string('must be text').min(min, 'must not be empty') },
  choice: { check: ({ choices = [] }) => z.enum([...choices], `must be one of ${choices.join(', ')}`) },
  list: {
    check: ({ min = 0 }) =>
      z
        .array(z.string('must be text').min(1, 'must not have empty items'), 'must be a list of texts')
        .min(min, 'must not be empty'),
    read: readList,
  },
  ranges: {
    check: () =>
      z.array(
        z.string('must be text').refine(isRange, 'must be an address range such as 10.0.0.0/8 or fd00::/8'),
        'must be a list of ranges such as 10.0.0.0/8',
      ),
    read: (text) => text.split(/[\s,]+/).filter((range) => range !== ''),
  },
  keys: {
    check: () =>
      z.record(
        z.string().min(1, 'must be written name=key, separated by commas'),
        z.string('must be text').min(16, 'a secret key must have at least 16 characters').max(512),
        'must be secret keys by name of the environment',
      ),
    read: (text) =>
      Object.fromEntries(
        text.split(',').map((pair) => {
          const [, name = '', key = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
          return [name, key]
        }),
      ),
  },
  apiAddress: {
    check: () =>
      z
        .string('must be text')
        .refine(isApiAddress, 'must be an http or https URL without credentials, query and fragment'),
  },
  hostName: {
    check: () =>
      z
        .string('must be text')
        .max(253)
        .regex(hostPattern, 'must be the full name of a mail server, such as mx.example.com')
        .toLowerCase(),
  },
  nameServers: {
    check: () =>
      z
        .array(z.string('must be text'), 'must be a list of texts')
        .min(1, 'must name a server')
        .refine(areNameServers, 'must be addresses of name servers, such as 10.0.0.53'),
    read: readList,
  },
  authorities: {
    check: () => z.union([z.string(), z.array(z.string())], 'must be certificates in PEM'),
    read: (file) => readFileSync(file, 'utf8'),
  },
  studio: {
    check: () => z.union([z.boolean(), z.instanceof(URL)], 'must be true, false or the URL of a folder'),
    read: (text) => (text.startsWith('file:') && parseUrl(text)) || readFlag(text),
  },
  mounts: {
    check: () =>
      z.record(
        z.string(),
        z.custom<Mount>((value) => typeof value === 'function', 'must be a function'),
      ),
  },
  log: { check: () => z.custom(hasMethods('write'), 'must be an object with the method write') },
  clock: {
    check: () => z.custom(hasMethods('now', 'sleep'), 'must be an object with the methods now and sleep'),
  },
}

function isApiAddress(text: string): boolean {
  const url = parseUrl(text)
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].join('') === ''
  )
}

function isRange(text: string): boolean {
  try {
    createRangeSet([text])
    return true
  } catch {
    return false
  }
}

function areNameServers(servers: readonly string[]): boolean {
  try {
    // Node decides which values are valid.
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}
