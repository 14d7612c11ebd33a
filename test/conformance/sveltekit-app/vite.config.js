import { sveltekit } from '@sveltejs/kit/vite'

// The modules a suite mounts must be the ones it imports itself.
export default { plugins: [sveltekit()], ssr: { external: ['@trestle/sveltekit', '@trestle/core'] } }
