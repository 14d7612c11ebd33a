import { fetchMount } from './mounts/fetch.ts'
import { nodeMount } from './mounts/node.ts'
import { conformance } from './suite.ts'

conformance(nodeMount)
conformance(fetchMount)
