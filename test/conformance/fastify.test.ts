import { fastifyMounts } from './mounts/fastify.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of fastifyMounts.entries()) conformance(mount, index === 0 ? 'all' : 'transport')
