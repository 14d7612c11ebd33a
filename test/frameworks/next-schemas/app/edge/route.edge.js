import { serve } from '@trestle/next'
import { workflows } from '../../workflows.mjs'

export const runtime = 'edge'

// Zod 3 and Valibot need a package that is found at run time, where a runtime of the edge finds none.
const published = workflows.filter(({ id }) => id === 'zod' || id === 'json-schema')

export const { GET, POST, OPTIONS } = serve({ workflows: published, secretKey: 'sk' })
