import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { TestContext } from 'vitest'

/** Serves a page with a script on a separate port, so that its origin differs from the service's. */
export async function servePage(script: string, context: TestContext): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'tsx' },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', jsx: 'automatic', logLevel: 'silent' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const code = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    if (request.url === '/script.js') response.setHeader('content-type', 'text/javascript; charset=utf-8').end(code)
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><meta charset="utf-8"><body><main></main><script src="/script.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
