import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

const socketFile = '.s.PGSQL.5432'

/**
 * Opens a proxy to a PostgreSQL server, through which connections can be cut.
 *
 * @param databaseUrl - The URL of a database at a local socket.
 */
export async function openProxy(databaseUrl: string, context: Pick<TestContext, 'onTestFinished'>) {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host') ?? ''
  const own = mkdtempSync(join(tmpdir(), 'trestle-proxy-'))
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((from) => {
    if (isCut) return from.destroy()
    const to = connect(join(folder, socketFile))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
    }
  })
  await new Promise<void>((resolve) => server.listen(join(own, socketFile), resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  context.onTestFinished(() => {
    cut()
    server.close()
    rmSync(own, { recursive: true, force: true })
  })
  url.searchParams.set('host', own)
  return {
    /** The URL of the database through the proxy. */
    url: url.href,
    cut,
    restore: () => {
      isCut = false
    },
  }
}
