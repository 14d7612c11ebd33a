import { serve } from '@trestle/fastify'
import Fastify from 'fastify'
import { vectorWorkflows as workflows } from './vector-workflows.mjs'

const app = Fastify()
await app.register(serve({ workflows }), { prefix: '/api/bridge' })
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
