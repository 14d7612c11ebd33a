// Built by both of Next's bundlers in parallel. Webpack cannot build an edge route alone, because Next then expects a
// file that it does not write.
const isWebpack = process.env.NEXT_DIST === '.next-webpack'

export default {
  poweredByHeader: false,
  distDir: process.env.NEXT_DIST ?? '.next',
  pageExtensions: isWebpack ? ['js', 'jsx'] : ['js', 'edge.js'],
}
