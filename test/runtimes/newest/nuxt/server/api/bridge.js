import { serve } from '@trestle/h3'
import { vectorWorkflows } from '../vector-workflows'

export default serve({ workflows: vectorWorkflows })
