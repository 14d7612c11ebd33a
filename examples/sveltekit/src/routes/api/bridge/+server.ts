import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/sveltekit'

export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows })
