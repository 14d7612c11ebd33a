import { expressMounts } from './mounts/express.ts'
import { conformance } from './suite.ts'

for (const mount of expressMounts) conformance(mount, mount.name.endsWith('bare') ? 'adapter' : 'variant')
