/** The target of a connection. */
export interface SocketTarget {
  /** A name or an address. */
  readonly host: string
  /** The whole URL where it is known, else scheme, host and port. */
  readonly url: string
}

/** The fields of a connection's options that are looked at; `href` comes from a request of http or https. */
interface ConnectOptions {
  readonly host?: string | null
  readonly port?: number | string | null
  readonly path?: string | null
  readonly href?: string | null
  readonly _defaultAgent?: { readonly protocol?: string }
}

/**
 * Reads what a socket is to connect to from the arguments of `connect`, in any of their forms.
 *
 * @returns `undefined` for a socket of the file system.
 */
export function toSocketTarget(args: readonly unknown[]): SocketTarget | undefined {
  // The module net hands its own calls over as one array.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as readonly unknown[]) : args
  const options = toOptions(first, second)
  if (!options || options.path) return undefined
  const host = options.host ?? 'localhost'
  const scheme = options._defaultAgent?.protocol ?? 'tcp:'
  const shown = host.includes(':') ? `[${host}]` : host
  return { host, url: options.href ?? `${scheme}//${shown}:${options.port ?? ''}` }
}

function toOptions(first: unknown, second: unknown): ConnectOptions | undefined {
  if (typeof first === 'object' && first !== null) return first
  // A text that is not a number is the path of a socket of the file system.
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined
  const port = Number(first)
  return typeof second === 'string' ? { port, host: second } : { port }
}
