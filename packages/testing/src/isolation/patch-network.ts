import dgram from 'node:dgram'
import dns from 'node:dns'
import net, { isIP } from 'node:net'
import { parseUrl } from '@trestle/protocol'
import { isAllowed, NetworkRefusedError } from '../context/network-policy.ts'
import { holdWork } from '../context/real-work.ts'
import { contextStorage } from '../context/test-context.ts'
import { joinReplacements, type Replacement, replaceProperty } from './replace-property.ts'
import { type SocketTarget, toSocketTarget } from './socket-target.ts'

type Callback = (error: Error) => void
type AnyFunction = (...args: unknown[]) => unknown

// Saved before a test can replace it.
const ownFetch = globalThis.fetch

const queries = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveMx', 'resolveSrv', 'resolveTxt']

/**
 * Blocks everything that a test context does not allow: at the socket, at DNS lookups, and at `fetch`, which has the
 * whole URL. Records requests of a workflow function. Code outside a test context is not affected.
 */
export function patchNetwork(): Replacement {
  return joinReplacements([patchSocket(), patchDatagrams(), ...patchLookups(), patchFetch()])
}

/** Records a target, and returns an error if the test context does not allow it. */
function refuse({ host, url }: SocketTarget): NetworkRefusedError | undefined {
  const context = contextStorage.getStore()
  if (context?.inFunction) context.requests.push(url)
  if (!context || isAllowed(context.network, host)) return undefined
  context.refused.push(url)
  return new NetworkRefusedError(url)
}

/** Allows a request; its lookups and sockets do not count as separate requests. */
function letThrough<TResult>(request: () => TResult): TResult {
  const context = contextStorage.getStore()
  if (!context?.inFunction && !context?.work) return request()
  // Internal timers of the request, such as those of a connection pool, do not count as waits.
  const result = contextStorage.run({ ...context, inFunction: false, clock: undefined, work: undefined }, request)
  holdWork(context.work, result)
  return result
}

/** All connections pass through here, including tls, http and https, however they were imported. */
function patchSocket(): Replacement {
  return replaceProperty(net.Socket.prototype, 'connect', (original) => {
    const connect = original as AnyFunction
    return function (this: net.Socket, ...args: unknown[]) {
      const target = toSocketTarget(args)
      const error = target && refuse(target)
      if (!error) return letThrough(() => connect.apply(this, args))
      // Like a real connection failure: asynchronous, and as an event.
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}

function patchDatagrams(): Replacement {
  return replaceProperty(dgram.Socket.prototype, 'send', (original) => {
    const send = original as AnyFunction
    return function (this: dgram.Socket, ...args: unknown[]) {
      const host = args.slice(1).find((arg) => typeof arg === 'string')
      const port = args.slice(1).findLast((arg) => typeof arg === 'number')
      const error = host === undefined ? undefined : refuse({ host, url: `udp://${host}:${String(port)}` })
      if (!error) return letThrough(() => send.apply(this, args))
      const callback = args.at(-1)
      process.nextTick(() => (typeof callback === 'function' ? callback(error) : this.emit('error', error)))
      return undefined
    } as typeof original
  })
}

function patchLookups(): readonly Replacement[] {
  const byCallback = dns as unknown as Record<string, AnyFunction>
  const byPromise = dns.promises as unknown as Record<string, AnyFunction>
  return queries.flatMap((query) => [
    replaceProperty(byCallback, query, (original) => (...args) => {
      const error = refuseName(args[0])
      if (!error) return letThrough(() => original.apply(dns, args))
      process.nextTick(args.at(-1) as Callback, error)
      return undefined
    }),
    replaceProperty(byPromise, query, (original) => (...args) => {
      const error = refuseName(args[0])
      return error ? Promise.reject(error) : letThrough(() => original.apply(dns.promises, args))
    }),
  ])
}

/** An IP address needs no lookup. */
function refuseName(name: unknown): NetworkRefusedError | undefined {
  return typeof name === 'string' && isIP(name) === 0 ? refuse({ host: name, url: `dns://${name}` }) : undefined
}

function patchFetch(): Replacement {
  // A fetch replaced by a test does not use the network: the replacement is called, and the call is only recorded.
  const isOwn = globalThis.fetch === ownFetch
  return replaceProperty(
    globalThis,
    'fetch',
    (original) =>
      new Proxy(original, {
        apply(target, owner, args: Parameters<typeof fetch>) {
          const [input] = args
          const url = input instanceof Request ? input.url : String(input)
          const served = contextStorage.getStore()?.service?.(url, args[1])
          if (served) return served
          const host = isOwn ? (parseUrl(url)?.hostname ?? '') : ''
          const error = refuse({ host, url })
          return error ? Promise.reject(error) : letThrough(() => Reflect.apply(target, owner, args))
        },
      }),
  )
}
