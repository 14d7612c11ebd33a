import { join } from 'node:path'
import { nearest } from '@trestle/protocol'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import type { ServiceOptions } from './generated/service-options.ts'
import { isLoopback } from './is-loopback.ts'
import { type AccountSettings, type OidcSettings, readAccounts } from './people-settings.ts'
import { SettingsError } from './settings-error.ts'
import { type Group, kinds, type Row, type SettingOf } from './shape/kinds.ts'
import { shape } from './shape/shape.ts'

type Shape = typeof shape
type MailSettings = SettingOf<Shape['inboundMail']>

/** The settings of inbound mail, if it is on. */
export type InboundMailSettings = MailSettings & { readonly hostName: string }

/** The settings that depend on others. */
interface Derived {
  readonly databaseFile: string
  readonly callsPerEnvironment: number
  readonly clock: Clock
  readonly bridge: BridgeSettings
  /** Undefined if it is off. */
  readonly inboundMail: InboundMailSettings | undefined
  readonly accounts: AccountSettings
  /** Undefined if it is off. */
  readonly oidc: OidcSettings | undefined
}

/** The options with the environment and all defaults filled in. */
export type Settings = Derived & { readonly [K in Exclude<keyof Shape, keyof Derived>]: SettingOf<Shape[K]> }

export { SettingsError }

type Values = Readonly<Record<string, unknown>>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the options with the environment and the defaults filled in.
 *
 * @param env - The environment. @default that of the process
 * @throws {SettingsError} An option or a variable cannot be used.
 */
export function readSettings(options: ServiceOptions = {}, env: Environment = process.env): Settings {
  const faults: string[] = []
  const values = readRows(shape, { options: options as Values, env, path: '', faults })
  if (faults.length > 0) throw new SettingsError(faults.join('; '))
  const raw = values as { readonly [K in keyof Shape]: SettingOf<Shape[K]> }
  const {
    databaseFile = join(raw.dataFolder, 'service.db'),
    callsPerEnvironment = raw.calls,
    clock = systemClock,
  } = raw
  const derived = { databaseFile, callsPerEnvironment, clock, bridge: raw.bridge as BridgeSettings }
  const settings = { ...raw, ...derived, inboundMail: toMail(raw), ...readAccounts(raw) }
  checkOpenPages(settings)
  return settings
}

interface Source {
  readonly options: Values
  readonly env: Environment
  /** The path of the option that holds them, with a trailing dot. */
  readonly path: string
  /** Collects the faults. */
  readonly faults: string[]
}

function readRows(rows: Readonly<Record<string, Row | Group>>, source: Source): Values {
  const { options, path, faults } = source
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(rows, name))
  for (const name of unknown) {
    const meant = nearest(name, Object.keys(rows))
    faults.push(
      `${path}${name}: this option does not exist${meant === undefined ? '' : `; did you mean ${path}${meant}?`}`,
    )
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      'rows' in row ? readGroup(name, row, source) : readRow(name, row, source),
    ]),
  )
}

function readGroup(name: string, { rows, code }: Group, { options, ...source }: Source): Values {
  const given = options[name] ?? {}
  if (typeof given !== 'object') {
    source.faults.push(`${name}: must be an object`)
    return {}
  }
  const own = Object.entries(given).filter(([field]) => code === undefined || Object.hasOwn(rows, field))
  const values = readRows(rows, { ...source, options: Object.fromEntries(own), path: `${name}.` })
  return { ...given, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) }
}

function readRow(name: string, row: Row, { options, env, path, faults }: Source): unknown {
  const { kind, variable = '', isSecret = false, isSetIfEmpty = false } = row
  const { check, read = (text: string): unknown => text } = kinds[kind]
  const text = env[variable]
  const isRead = options[name] === undefined && text !== undefined && (text !== '' || isSetIfEmpty)
  const said = isSecret ? '' : ` is ${JSON.stringify(text)}`
  const place = isRead ? `${variable}${said}` : `${path}${name}`
  try {
    const value = isRead ? read(text) : (options[name] ?? row.default)
    const { data, error } = value === undefined ? { data: value } : check(row).safeParse(value)
    for (const { path: inner, message } of error?.issues ?? [])
      faults.push(`${[place, ...(isRead ? [] : inner)].join('.')}: ${message}`)
    return data
  } catch (error) {
    faults.push(`${place}: ${error instanceof Error ? error.message : 'cannot be read'}`)
    return undefined
  }
}

function toMail({ inboundMail }: { readonly inboundMail: MailSettings }): InboundMailSettings | undefined {
  const { hostName, keyFile, certFile } = inboundMail
  if ((keyFile === undefined) !== (certFile === undefined))
    throw new SettingsError('inboundMail: needs keyFile and certFile together, or neither')
  if (hostName !== undefined) return { ...inboundMail, hostName }
  if (inboundMail.port !== undefined)
    throw new SettingsError('inboundMail.port: needs hostName, or SERVICE_INBOUND_MAIL_HOST')
  return undefined
}

type OpenPageSettings = Pick<Settings, 'host' | 'studio' | 'mounts' | 'accounts'>

/** Paths of the service itself: a mount there would never be called, or hide an operation. */
const ownPath = /^\/(v\d+|studio|health|metrics|openapi\.json)(\/|$)/

/**
 * Without accounts, the studio is only for browsers on the same machine, because its cookie would otherwise cross the
 * network unencrypted.
 */
function checkOpenPages({ host, studio, mounts, accounts }: OpenPageSettings): void {
  const paths = Object.keys(mounts)
  for (const path of paths)
    if (!/^(\/[\w.-]+)+$/.test(path) || ownPath.test(path))
      throw new SettingsError(`mounts: "${path}" must be a path such as "/mcp" that the service does not use.`)
  if (isLoopback(host)) return
  if (paths.length > 0)
    throw new SettingsError(
      `mounts: only available on this machine, so the host must be a loopback address; it is "${host}".`,
    )
  if (studio !== false && !accounts.enabled)
    throw new SettingsError(
      `studio: the host "${host}" is not a loopback address, so the studio needs accounts (SERVICE_ACCOUNTS=true).`,
    )
}
