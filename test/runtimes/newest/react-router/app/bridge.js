import { serve } from '@trestle/react-router'
import { vectorWorkflows } from './vector-workflows'

const bridge = serve({ workflows: vectorWorkflows })

export const loader = bridge.loader
export const action = bridge.action
