import { serve } from '@trestle/lambda'
import type { ALBHandler, APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda'

// The handler accepts every kind of caller.
export const restApi: APIGatewayProxyHandler = serve({ workflows: [] })
export const httpApi: APIGatewayProxyHandlerV2 = serve({ workflows: [] })
export const functionUrl: LambdaFunctionURLHandler = serve({ workflows: [] })
export const loadBalancer: ALBHandler = serve({ workflows: [] })
