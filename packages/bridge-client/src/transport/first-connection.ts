import type { Socket } from 'node:net'
import { onAbort } from '../base/on-abort.ts'
import type { Fault } from '../failure/fault.ts'

/** Starts a TCP connection; the socket then emits `connect` or `error`. `address` is an IP address, never a name. */
export type Connect = (target: { readonly address: string; readonly port: number }) => Socket

/** Configures {@link openFirstConnection}. */
export interface FirstConnectionOptions {
  readonly connect: Connect
  /** Calls back once after a time, and returns a function that cancels the callback. */
  readonly startTimer: (ms: number, onTimeout: () => void) => () => void
  readonly signal: AbortSignal
}

/** A new connection to a checked address. */
export interface Connection {
  readonly socket: Socket
  /** The address it is connected to. */
  readonly address: string
}

/** How long to wait for an address before the next is tried in parallel, in milliseconds. */
export const nextAddressMs = 250

/** How many addresses of a name are tried. */
export const maxAddresses = 16

/**
 * Connects to the first address that accepts. The next address is tried after a failure, or in parallel after
 * {@link nextAddressMs} without a response, so that a dead address does not use up the others' time.
 *
 * @param options - Connector, timer and the attempt's signal.
 * @returns The connection, with all others closed; or the fault of the last address.
 */
export function openFirstConnection(
  addresses: readonly string[],
  port: number,
  options: FirstConnectionOptions,
): Promise<Connection | Fault> {
  const { connect, startTimer, signal } = options
  return new Promise((resolve) => {
    const untried = addresses.slice(0, maxAddresses)
    const pending = new Set<Socket>()
    let last: Fault = { fault: 'connect', error: new Error('the host has no address') }
    let isDone = false
    let stopTimer = (): void => {}
    const finish = (result: Connection | Fault): void => {
      isDone = true
      stopTimer()
      stopListening()
      for (const socket of pending) socket.destroy()
      resolve(result)
    }
    const fail = (address: string, error: unknown): void => {
      last = { fault: 'connect', error, address }
      tryNext()
    }
    const tryNext = (): void => {
      stopTimer()
      if (isDone) return
      const address = untried.shift()
      if (address !== undefined) tryAddress(address)
      else if (pending.size === 0) finish(last)
    }
    const tryAddress = (address: string): void => {
      if (untried.length > 0) stopTimer = startTimer(nextAddressMs, tryNext)
      try {
        const socket = connect({ address, port })
        watch(socket, (error) => {
          if (!pending.delete(socket)) return
          if (error === undefined) finish({ socket, address })
          else fail(address, error)
        })
        pending.add(socket)
      } catch (error) {
        fail(address, error)
      }
    }
    const stopListening = onAbort(signal, () => {
      const address = addresses[Math.min(addresses.length, maxAddresses) - untried.length - 1]
      finish({ fault: 'connect', error: signal.reason, ...(address === undefined ? {} : { address }) })
    })
    if (!signal.aborted) tryNext()
  })
}

/** Calls back when a socket connects (without an error) or fails (with one). */
function watch(socket: Socket, onEvent: (error?: unknown) => void): void {
  // The error listener stays: a socket that fails later must not end the process.
  socket.on('error', onEvent)
  socket.once('close', () => onEvent(closedEarly()))
  socket.once('connect', () => onEvent())
}

/** Returns the error of a connection that the peer closed without an error. */
export function closedEarly(): Error {
  return Object.assign(new Error('the peer closed the connection'), { code: 'ECONNRESET' })
}
