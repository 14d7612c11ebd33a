import 'reflect-metadata'
import { Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { escapeHtml, type WorkflowDefinition, workflow } from '@trestle/core'
import { BridgeModule } from '@trestle/nest'
import { z } from 'zod'

class CustomersService {
  async nameOf(customerId: string): Promise<string> {
    return customerId === 'c-1' ? 'Ada' : 'a new customer'
  }
}
Injectable()(CustomersService)

class CustomersModule {}
Module({ providers: [CustomersService], exports: [CustomersService] })(CustomersModule)

const welcome = (customers: CustomersService): WorkflowDefinition =>
  workflow(
    'welcome',
    async ({ step, payload }) => {
      await step.email('hello', async () => {
        const name = await customers.nameOf(payload.customerId)
        return { subject: `Welcome, ${name}`, body: `<p>Good to have you here, ${escapeHtml(name)}.</p>` }
      })
    },
    { payloadSchema: z.object({ customerId: z.string() }) },
  )

class AppModule {}
Module({
  imports: [
    BridgeModule.registerAsync({
      imports: [CustomersModule],
      inject: [CustomersService],
      useFactory: (customers: CustomersService) => ({ workflows: [welcome(customers)] }),
    }),
  ],
})(AppModule)

const app = await NestFactory.create(AppModule, { rawBody: true, logger: ['error', 'warn'] })
const port = Number(process.env['PORT'] ?? 4000)
await app.listen(port)
console.log(`The bridge is at http://localhost:${port}/api/bridge`)
