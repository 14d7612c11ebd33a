import { fetchMount } from './mounts/fetch.ts'
import { nodeMount, parsedNodeMount } from './mounts/node.ts'
import { conformance } from './suite.ts'

conformance(nodeMount, 'bridge')
conformance(parsedNodeMount, 'variant')
conformance(fetchMount, 'bridge')
