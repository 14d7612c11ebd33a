import 'hono'
import 'node:crypto'

new Request('http://a/')
process.exit()
