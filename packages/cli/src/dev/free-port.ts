import { createServer } from 'node:net'

/**
 * Returns the first free port on 127.0.0.1, starting at a given one.
 *
 * @param first - The first port to try; 0 means any free port.
 * @param tries - The number of ports to try. @default 20
 */
export async function findFreePort(first: number, tries = 20): Promise<number> {
  if (first === 0) return 0
  for (let port = first; port < Math.min(first + tries, 65_536); port++) if (await isFree(port)) return port
  return 0
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
