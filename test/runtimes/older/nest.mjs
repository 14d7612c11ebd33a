import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { BridgeModule } from '@trestle/nest'
import { vectorWorkflows as workflows } from './vector-workflows.mjs'

class AppModule {}
Module({ imports: [BridgeModule.registerAsync({ useFactory: () => ({ workflows }) })] })(AppModule)

const options = {
  bare: { bodyParser: false },
  'raw body': { rawBody: true },
  Fastify: {},
}
const kind = process.argv[2]
const settings = { ...options[kind], logger: false }
const app =
  kind === 'Fastify'
    ? await NestFactory.create(AppModule, new FastifyAdapter(), settings)
    : await NestFactory.create(AppModule, settings)
// biome-ignore lint/correctness/useHookAtTopLevel: a method of Nest, no hook of React.
if (kind === 'raw body') app.useBodyParser('json', { limit: '20mb' })
await app.listen(Number(process.env.PORT), '127.0.0.1')
