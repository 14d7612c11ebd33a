import { reactRouter } from '@react-router/dev/vite'

// The modules a suite mounts must be the ones it imports itself.
export default { plugins: [reactRouter()], ssr: { external: ['@trestle/react-router', '@trestle/core'] } }
