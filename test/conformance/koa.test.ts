import { koaMounts } from './mounts/koa.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of koaMounts.entries()) conformance(mount, index === 0 ? 'adapter' : 'variant')
