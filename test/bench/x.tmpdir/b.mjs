import 'hono'
import 'node:crypto'
import '@trestle/core'

new Request('http://a/')
process.exit()
