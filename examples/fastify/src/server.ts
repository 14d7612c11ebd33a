import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/fastify'
import Fastify from 'fastify'

const app = Fastify()
await app.register(serve({ workflows }), { prefix: '/api/bridge' })

const address = await app.listen({ port: Number(process.env['PORT'] ?? 4000) })
console.log(`The bridge is at ${address}/api/bridge`)
