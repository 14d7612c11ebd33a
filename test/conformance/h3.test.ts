import { h3Mounts } from './mounts/h3.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of h3Mounts.entries()) conformance(mount, index === 0 ? 'adapter' : 'variant')
