// Built by both of Next's bundlers, side by side. A route of the edge runtime cannot be built by webpack alone: Next
// looks for a file that it does not write then.
const isWebpack = process.env.NEXT_DIST === '.next-webpack'

export default {
  poweredByHeader: false,
  distDir: process.env.NEXT_DIST ?? '.next',
  pageExtensions: isWebpack ? ['js', 'jsx'] : ['js', 'edge.js'],
}
