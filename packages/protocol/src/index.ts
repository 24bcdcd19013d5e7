export * from './openapi.ts'
export * from './plans.ts'
export * from './refusals.ts'
export * from './wire.ts'
