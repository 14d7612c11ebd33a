import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { Module, type NestApplicationOptions } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { BridgeModule } from '@trestle/nest'
import type { Mount } from './mount.ts'
import { nodeInFront, waitsForBody } from './node.ts'

function mountNest(settings: NestApplicationOptions, onFastify = false): Mount['mount'] {
  return async (options) => {
    class AppModule {}
    Module({ imports: [BridgeModule.register(options)] })(AppModule)
    const quiet = { logger: false, forceCloseConnections: true, ...settings } as const
    const app = onFastify
      ? await NestFactory.create(AppModule, new FastifyAdapter(), quiet)
      : await NestFactory.create<NestExpressApplication>(AppModule, quiet)
    // The parser's limit is above that of the bridge, so that the bridge's limit is tested.
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of Nest, not a React hook.
    if (settings.rawBody && 'useBodyParser' in app) app.useBodyParser('json', { limit: '20mb' })
    await app.listen(0, '127.0.0.1')
    const { port } = app.getHttpServer().address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/api/bridge`, close: () => app.close() }
  }
}

const refused = { answers: [400, 413], reason: "Nest's body parser refuses the body" } as const
const parserInFront = {
  ...nodeInFront,
  ...waitsForBody("Nest's body parser"),
  '100 000 nested brackets': refused,
} as const

const fastifyInFront = {
  ...nodeInFront,
  'absolute-form URL with a bad port': { answers: [400], reason: 'Fastify refuses a URL that it cannot read' },
} as const

/** NestJS on Express, without its parser and with one that keeps the raw body, and on Fastify. */
export const nestMounts: readonly Mount[] = [
  { name: 'NestJS, bare', body: 'stream', inFront: nodeInFront, mount: mountNest({ bodyParser: false }) },
  {
    name: 'NestJS with rawBody',
    body: 'kept',
    parsesJson: true,
    inFront: parserInFront,
    mount: mountNest({ rawBody: true }),
  },
  { name: 'NestJS on Fastify', body: 'stream', inFront: fastifyInFront, mount: mountNest({}, true) },
]
