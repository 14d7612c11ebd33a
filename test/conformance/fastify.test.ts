import { fastifyMount } from './mounts/fastify.ts'
import { conformance } from './suite.ts'

conformance(fastifyMount)
